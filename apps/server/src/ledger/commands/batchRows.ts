import { type Micros, toMicros } from '@roundhouse/contract';
import type { Database } from '../database.ts';
import { retryConflicts } from '../retry.ts';

type OrdinalRow = { ordinal: bigint };

/**
 * Calls one of the set-based SQL functions, one array per column, and answers its rows in the order of the commands.
 * A command that got no row, or two, is a broken invariant: the function joined away what it should have judged.
 */
export async function batchRows<Row extends OrdinalRow>(
  db: Database,
  { sql, columns, count }: { sql: string; columns: readonly unknown[][]; count: number },
): Promise<Row[]> {
  const rows = await retryConflicts(() => db.$queryRawUnsafe<Row[]>(sql, ...columns));
  const ordered = new Array<Row>(count);
  for (const row of rows) ordered[Number(row.ordinal) - 1] = row;
  if (rows.length !== count || ordered.includes(undefined as never)) {
    throw new Error(`${count} commands got ${rows.length} rows`);
  }
  return ordered;
}

/** The balance of an account, or undefined where the operator keeps the money. */
export function heldBalance(micros: bigint | null): Micros | undefined {
  return micros === null ? undefined : toMicros(micros);
}
