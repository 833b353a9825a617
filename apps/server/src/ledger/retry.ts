import { DatabaseError } from 'pg';
import { Prisma } from './generated/client.ts';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const MAX_ATTEMPTS = 4;

type DriverCause = { cause?: { originalCode?: unknown } };

/** The SQLSTATE of an error of PostgreSQL, through Prisma or from the driver; else undefined. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof DatabaseError) return error.code;
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return undefined;
  const driverError = error.meta?.driverAdapterError as DriverCause | undefined;
  const code = driverError?.cause?.originalCode;
  return typeof code === 'string' ? code : undefined;
}

/**
 * Retries a transaction that PostgreSQL aborted for another one, at most 3 times. Rethrows every
 * other error.
 */
export async function retryConflicts<Value>(run: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const state = sqlState(error);
      const mayRetry = state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
      if (!mayRetry || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
