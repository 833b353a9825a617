import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { type ListedTransaction, listedTransactionSchema } from '@roundhouse/contract';
import { CsvError, parse } from 'csv-parse';
import * as z from 'zod';
import { type OperatorList, unreadable } from './operatorList.ts';

const ROWS_PER_PAGE = 1_000;
const BYTE_ORDER_MARK = '\uFEFF';

/** Lines are counted from 1. */
type Row = { line: number; value: unknown };

/** The winnings of a grant, which some wallets pay in one sum and identify only by the grant. */
const winningsSchema = listedTransactionSchema
  .pick({ playerID: true, currency: true, amount: true, at: true })
  .extend({ kind: z.literal('credit'), grantID: z.string().min(1) });
type Listed = ListedTransaction | z.output<typeof winningsSchema>;

/** Finds what a wallet may not identify by its id. */
export type Finders = {
  /** Returns our winnings of these grants, by grantID. */
  winnings(grantIDs: readonly string[]): Promise<ReadonlyMap<string, { transactionID: string; roundID: bigint }>>;
  /** The ids of our rollbacks of these debits, by the id of the debit in lower case. */
  rollbacks(debitIDs: readonly string[]): Promise<ReadonlyMap<string, string>>;
};

/** An id that no transaction of ours has. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** A line of the file that cannot be read. */
class LineError extends Error {
  constructor(line: number, why: string) {
    super(`line ${line}: ${why}`);
  }
}

/**
 * Reads the list from a file: JSON Lines, whose first character is a brace, or CSV with a header.
 * The fields are those of a listed transaction; winnings of a grant may have a grantID in place of
 * transactionID and roundID, and a rollback may have the transactionID of its debit. Memory does
 * not grow with the file.
 */
export function fileList(file: string, find: Finders): OperatorList {
  return {
    isExport: true,
    async *read() {
      let rows: Listed[] = [];
      try {
        for await (const row of (await isJson(file)) ? jsonRows(file) : csvRows(file)) {
          rows.push(listedOf(row));
          if (rows.length < ROWS_PER_PAGE) continue;
          yield { ok: true, transactions: await withIDs(rows, find) };
          rows = [];
        }
      } catch (error) {
        return yield unreadable(`${file}, ${explain(error)}`);
      }
      yield { ok: true, transactions: await withIDs(rows, find) };
    },
  };
}

async function withIDs(rows: readonly Listed[], find: Finders): Promise<ListedTransaction[]> {
  const grantIDs = rows.flatMap((row) => ('grantID' in row ? [row.grantID] : []));
  const rolledBack = rows.flatMap((row) => (row.kind === 'rollback' ? [row.transactionID] : []));
  const winnings = grantIDs.length === 0 ? new Map() : await find.winnings(grantIDs);
  const rollbacks = rolledBack.length === 0 ? new Map() : await find.rollbacks(rolledBack);
  return rows.map((row) => {
    if ('grantID' in row) {
      const { grantID, ...listed } = row;
      const { transactionID = NO_ID, roundID = `of grant ${grantID}` } = winnings.get(grantID) ?? {};
      return { ...listed, transactionID, roundID: String(roundID) };
    }
    const rollbackID = row.kind === 'rollback' && rollbacks.get(row.transactionID.toLowerCase());
    return rollbackID ? { ...row, transactionID: rollbackID, debitTransactionID: row.transactionID } : row;
  });
}

async function isJson(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(1_024) });
    // trimStart also removes a byte order mark.
    return buffer.toString('utf8', 0, bytesRead).trimStart().startsWith('{');
  } finally {
    await handle.close();
  }
}

async function* jsonRows(file: string): AsyncGenerator<Row> {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    const json = line === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    if (json.trim() !== '') yield { line, value: parseJson(json, line) };
  }
}

function parseJson(json: string, line: number): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new LineError(line, 'it is no JSON');
  }
}

async function* csvRows(file: string): AsyncGenerator<Row> {
  const options = { columns: true, bom: true, info: true, skip_empty_lines: true, trim: true } as const;
  for await (const { record, info } of createReadStream(file).pipe(parse(options))) {
    yield { line: info.lines, value: withoutEmpty(record) };
  }
}

/** Leaves out empty cells. */
function withoutEmpty(record: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(record).filter(([, text]) => text !== ''));
}

/** @throws LineError with field and rule, but never the value. */
function listedOf({ line, value }: Row): Listed {
  const row = normalized(value);
  const isOfGrant = typeof row === 'object' && row !== null && 'grantID' in row && !('transactionID' in row);
  const { data, error } = (isOfGrant ? winningsSchema : listedTransactionSchema).safeParse(row);
  if (data !== undefined) return data;
  const { path, message } = error.issues[0] ?? { path: [], message: 'it is no listed transaction' };
  throw new LineError(line, [...path.map(String), message].join(': '));
}

const FIELDS_OF_IDS = ['transactionID', 'debitTransactionID'] as const;

/** Ids get their dashes, and an amount of digits becomes a number. */
function normalized(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const row: Record<string, unknown> = { ...value };
  for (const field of FIELDS_OF_IDS) if (typeof row[field] === 'string') row[field] = withDashes(row[field]);
  if (typeof row.amount === 'string' && /^\d{1,16}$/.test(row.amount)) row.amount = Number(row.amount);
  return row;
}

const WITHOUT_DASHES = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/i;

function withDashes(id: string): string {
  return id.replace(WITHOUT_DASHES, '$1-$2-$3-$4-$5');
}

function explain(error: unknown): string {
  if (error instanceof CsvError) return `line ${String(error.lines)}: it is no row of CSV (${error.code})`;
  if (error instanceof Error) return error.message;
  throw error;
}
