import { DatabaseError } from 'pg';
import type { Writer } from './writer.ts';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
export const UNIQUE_VIOLATION = '23505';

/** Prisma's driver adapter puts this into an error of PostgreSQL. */
type PrismaError = { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } };

/**
 * Returns the SQLSTATE of PostgreSQL in an error of the driver or of Prisma; undefined for any
 * other error.
 */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof DatabaseError) return error.code;
  const code = (error as PrismaError | null | undefined)?.meta?.driverAdapterError?.cause?.originalCode;
  return typeof code === 'string' ? code : undefined;
}

type Retries = {
  /** Bounds the attempts after conflicts. */
  maxAttempts?: number;
  alsoAfter?: readonly string[];
  /** If there is a writer, a statement is also sent again when its connection was lost. */
  writer?: Writer;
};

/**
 * Runs a transaction, and repeats it when PostgreSQL rolled it back in favour of another one: after
 * a deadlock, a serialization failure, or a state of `alsoAfter`. With a `writer` it also repeats
 * after a lost connection: `again` says that an earlier run may have been committed (decision 018).
 * Rethrows the error of the last attempt, and any other error.
 */
export async function retryConflicts<Value>(
  run: (again: boolean) => Promise<Value>,
  { maxAttempts = 4, alsoAfter = [], writer }: Retries = {},
): Promise<Value> {
  const states = [SERIALIZATION_FAILURE, DEADLOCK_DETECTED, ...alsoAfter];
  let again = false;
  let untilMs: number | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(again);
    } catch (error) {
      writer?.onError(error);
      const state = sqlState(error);
      if (state !== undefined && states.includes(state)) {
        if (attempt >= maxAttempts) throw error;
        continue;
      }
      if (writer === undefined) throw error;
      untilMs ??= performance.now() + writer.awayMs;
      if (!(await writer.recover(error, untilMs))) throw error;
      again = true;
    }
  }
}
