import { DatabaseError } from 'pg';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
export const UNIQUE_VIOLATION = '23505';

/** What Prisma's driver adapter puts into an error of PostgreSQL. */
type PrismaError = { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } };

/**
 * The SQLSTATE of PostgreSQL in an error of the driver or of Prisma; undefined for any other error.
 */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof DatabaseError) return error.code;
  const code = (error as PrismaError | null | undefined)?.meta?.driverAdapterError?.cause?.originalCode;
  return typeof code === 'string' ? code : undefined;
}

/**
 * Runs a transaction, and repeats it when PostgreSQL rolled it back in favour of another one: after
 * a deadlock, a serialization failure, or a state of `alsoAfter`. Rethrows the error of the last
 * attempt, and any other error.
 */
export async function retryConflicts<Value>(
  run: () => Promise<Value>,
  { maxAttempts = 4, alsoAfter = [] }: { maxAttempts?: number; alsoAfter?: readonly string[] } = {},
): Promise<Value> {
  const states = [SERIALIZATION_FAILURE, DEADLOCK_DETECTED, ...alsoAfter];
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const state = sqlState(error);
      if (state === undefined || !states.includes(state) || attempt === maxAttempts) throw error;
    }
  }
}
