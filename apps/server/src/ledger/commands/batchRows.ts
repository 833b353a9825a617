import { type Micros, toMicros } from '@roundhouse/contract';
import { types } from 'pg';
import type { Database } from '../database.ts';
import { retryConflicts } from '../retry.ts';

type OrdinalRow = { ordinal: bigint };

/** A call of one set-based SQL function. The name is that of the prepared statement: one name, one text. */
type Statement = { name: string; text: string };

type Batch<Row> = { statement: Statement; columns: readonly Column[]; count: number; noRow?: Row };

/** What a command answers whose session has been deleted. */
export const NO_SESSION = {
  ordinal: 0n,
  outcome: 'session',
  round_id: null,
  balance_micros: null,
  debit_id: null,
  credit_id: null,
};

/** One array for the whole batch: texts as they are, for the driver to quote; everything else by arrayLiteral. */
type Column = string | readonly (string | null)[];

const INT8 = types.builtins.INT8;
const ROW_TYPES = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? BigInt : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/**
 * Runs the statement with one array per column, and answers its rows in the order of the commands. Each connection parses the
 * statement once, under its name, and plans it once; a connection on which it fails is not used again.
 * A command that got no row, or two, is a broken invariant: the function joined away what it should have judged. Only commands of a
 * session may have `noRow`: the session was deleted after it had expired, while a node still remembers it.
 */
export async function batchRows<Row extends OrdinalRow>(
  db: Pick<Database, 'pool'>,
  { statement, columns, count, noRow }: Batch<Row>,
): Promise<Row[]> {
  const query = { ...statement, values: columns as Column[], types: ROW_TYPES };
  const { rows } = await retryConflicts(() => db.pool.query<Row>(query));
  const ordered = new Array<Row | undefined>(count).fill(noRow);
  for (const row of rows) ordered[Number(row.ordinal) - 1] = row;
  const answered = ordered.filter((row) => row !== noRow).length;
  if (rows.length !== answered || (noRow === undefined && answered !== count)) {
    throw new Error(`${count} commands got ${rows.length} rows`);
  }
  return ordered as Row[];
}

/** An array of PostgreSQL as text. Whole numbers and truth values contain nothing that would have to be quoted. */
export function arrayLiteral<Command>(
  commands: readonly Command[],
  pick: (command: Command) => bigint | number | boolean,
): string {
  return `{${commands.map(pick).join()}}`;
}

/** The balance of an account, or undefined where the operator keeps the money. */
export function heldBalance(micros: bigint | null): Micros | undefined {
  return micros === null ? undefined : toMicros(micros);
}
