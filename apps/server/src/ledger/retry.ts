import { DatabaseError } from 'pg';
import { Prisma } from './generated/client.ts';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const MAX_ATTEMPTS = 4;

type DriverCause = { cause?: { originalCode?: unknown } };

/** The SQLSTATE that PostgreSQL gave, when the error came from there, through Prisma or straight from the driver. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof DatabaseError) return error.code;
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return undefined;
  const driverError = error.meta?.driverAdapterError as DriverCause | undefined;
  const code = driverError?.cause?.originalCode;
  return typeof code === 'string' ? code : undefined;
}

/** Runs a transaction again, at most 3 times, when PostgreSQL undid it to let another one through. Anything else is rethrown. */
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
