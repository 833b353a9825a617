import { retryConflicts } from '@roundhouse/service';
import type { Prisma } from '../generated/client.ts';
import type { Database } from './database.ts';

const LONGEST_MS = 60_000;

/**
 * Runs functions that take a database within one transaction: all that they write is committed
 * together, or not at all. Their own transactions become parts of this one. After a deadlock the
 * whole work runs again, so it does nothing that cannot be rolled back. It sends one query at a
 * time.
 * @throws whatever `work` throws; then nothing has changed.
 */
export function inOneTransaction<Value>(db: Database, work: (within: Database) => Promise<Value>): Promise<Value> {
  return retryConflicts(() => db.$transaction((tx) => work(databaseOf(db, tx)), { timeout: LONGEST_MS }));
}

/** Returns what `work` returns, and takes back all that it has written. */
export async function withoutEffect<Value>(db: Database, work: (within: Database) => Promise<Value>): Promise<Value> {
  const takeBack = Symbol('take back');
  let returned: { value: Value } | undefined;
  try {
    await inOneTransaction(db, async (within) => {
      returned = { value: await work(within) };
      throw takeBack;
    });
  } catch (error) {
    if (error !== takeBack) throw error;
  }
  if (returned === undefined) throw new Error('the work has returned nothing');
  return returned.value;
}

/**
 * Runs `work` as a part of a transaction. PostgreSQL undoes its writes when its value is not
 * `kept`; the transaction goes on.
 */
export async function asPart<Value>(
  within: Database,
  work: () => Promise<Value>,
  kept: (value: Value) => boolean,
): Promise<Value> {
  await within.$executeRaw`SAVEPOINT part`;
  const value = await work();
  if (!kept(value)) await within.$executeRaw`ROLLBACK TO SAVEPOINT part`;
  await within.$executeRaw`RELEASE SAVEPOINT part`;
  return value;
}

type Statement = { text: string; values: readonly unknown[] };

/** Batches of commands use a pool, queries use Prisma: here both use the connection of `tx`. */
function databaseOf(db: Database, tx: Prisma.TransactionClient): Database {
  const { secretKeys, limits, fleet, writer } = db;
  const pool = {
    // A statement that has met a conflict has ended the transaction: only the whole can run again.
    maxAttempts: 1,
    query: async ({ text, values }: Statement) => ({
      rows: await tx.$queryRawUnsafe<object[]>(text, ...values.map(parameterOf)),
    }),
  };
  const own: Record<string | symbol, unknown> = { secretKeys, limits, fleet, writer, pool };
  const get = (_tx: object, name: string | symbol): unknown => {
    if (Object.hasOwn(own, name)) return own[name];
    if (name === 'anonymous' || name === 'leases') throw new Error(`${name} is no part of a transaction`);
    const member: unknown = Reflect.get(tx, name);
    return typeof member === 'function' ? member.bind(tx) : member;
  };
  return new Proxy(tx, { get }) as unknown as Database;
}

/** Undefined is NULL in a batch. Prisma has no undefined in an array. */
function parameterOf(value: unknown): unknown {
  return Array.isArray(value) ? value.map((each) => each ?? null) : value;
}
