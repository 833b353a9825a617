import { randomBytes } from 'node:crypto';
import {
  arrayOf,
  type BatcherOptions,
  type ObservedBatch,
  parameterOf,
  ROW_TYPES,
  retryConflicts,
  type SqlType,
} from '@roundhouse/service';
import type { Database } from './database.ts';

/** A column has a type in SQL, and a type of its values here. */
export type Column<Value> = { sqlType: SqlType; value?: Value };
type Columns = Record<string, Column<unknown>>;
export type ColumnValues<Of extends Columns> = {
  [Name in keyof Of]: Of[Name] extends Column<infer Value> ? Value : never;
};

const column = <Value>(sqlType: SqlType) =>
  ({
    sqlType,
    as: <Narrower>(): Column<Narrower> => ({ sqlType }),
  }) as Column<Value> & { as<Narrower>(): Column<Narrower> };

export const bigint = column<bigint>('bigint');
export const boolean = column<boolean>('boolean');
export const bytea = column<Buffer>('bytea');
export const integer = column<number>('integer');
export const jsonb = column<unknown>('jsonb');
/** It is exact decimal text, for example "1.25". */
export const numeric = column<string>('numeric');
export const text = column<string>('text');
export const timestamptz = column<Date>('timestamp with time zone');
export const uuid = column<string>('uuid');

type Definition<Given extends Columns, Returned extends Columns, Outcome> = {
  /**
   * The SQL function has this name. It takes one array for each column, and returns a row for each
   * command.
   */
  name: string;
  /** The array of `bookID` is the parameter `_book_id`. */
  columns: Given;
  /** A row has these columns besides its ordinal. */
  returns: Returned;
  outcomeOf: (row: ColumnValues<Returned>) => Outcome;
  /**
   * The outcome of a command that gets no row: its session was deleted, which a node may still
   * remember, or another caller has settled the wallet transaction before. Without it, each command
   * must get a row.
   */
  withoutRow?: Outcome;
  /**
   * Says that a second run of a batch would not do what the first one did: the function takes
   * `_again`, and returns what the first run has committed. Every other function may run twice.
   */
  repeats?: 'returns_first_run' | 'finds_first_run_by_batch';
  /** SQL alone gives these parameters; they have a default. */
  ofSql?: readonly string[];
  /**
   * Few commands have these columns. A batch without any sends an empty array, whose elements are
   * NULL in SQL: PostgreSQL walks an array of NULLs from its start for each element.
   */
  rare?: readonly string[];
};

export type BatchCommand<Command, Outcome> = {
  readonly name: string;
  /** It lists parameters and result columns as PostgreSQL describes them, in any order. */
  readonly signature: readonly string[];
  /** Returns one outcome for each command, in their order. */
  run(db: Pick<Database, 'pool'>, commands: readonly Command[]): Promise<Outcome[]>;
};

export type CommandOf<Batch> = Batch extends BatchCommand<infer Command, unknown> ? Command : never;
export type OutcomeOf<Batch> = Batch extends BatchCommand<never, infer Outcome> ? Outcome : never;

/**
 * Returns a command that runs for a whole batch in one call of a set-based SQL function. The call
 * names each parameter after its column. Each connection parses and plans the statement once, under
 * the name of the function; a connection on which it fails is not used again. A batch whose
 * connection is lost is sent again.
 */
export function batchCommand<Given extends Columns, Returned extends Columns, Outcome>({
  name,
  columns,
  returns,
  outcomeOf,
  withoutRow,
  repeats,
  ofSql = [],
  rare = [],
}: Definition<Given, Returned, Outcome>): BatchCommand<ColumnValues<Given>, Outcome> {
  type Row = ColumnValues<Returned> & { ordinal: bigint };
  const given = Object.entries(columns);
  const parameters = given.map(([field, { sqlType }], index) => `${parameterOf(field)} => $${index + 1}::${sqlType}[]`);
  const hasBatchID = repeats === 'finds_first_run_by_batch';
  if (hasBatchID) parameters.push(`_batch_id => $${given.length + 1}::bigint`);
  const statement = { name, text: `SELECT * FROM ${name}(${parameters})`, types: ROW_TYPES };
  const repeated = repeats === undefined ? statement : { ...statement, ...againOf(name, parameters) };
  return {
    name,
    signature: [
      ...given.map(([field, { sqlType }]) => `${parameterOf(field)} ${sqlType}[]`),
      ...(repeats === undefined ? [] : ['_again boolean']),
      ...(hasBatchID ? ['_batch_id bigint'] : []),
      ...ofSql,
      'ordinal bigint',
      ...Object.entries(returns).map(([field, { sqlType }]) => `${field} ${sqlType}`),
    ],
    async run(db, commands) {
      const values: unknown[] = given.map(([field, { sqlType }]) => {
        const ofField = commands.map((command) => command[field]);
        const isAbsent = rare.includes(field) && ofField.every((value) => value === undefined);
        return arrayOf(sqlType, isAbsent ? [] : ofField);
      });
      if (hasBatchID) values.push(nextBatchID());
      const { rows } = await retryConflicts(
        (again) => db.pool.query<Row>({ values, ...(again ? repeated : statement) }),
        db.pool,
      );
      const outcomes = new Array<Outcome | undefined>(commands.length).fill(withoutRow);
      for (const row of rows) outcomes[Number(row.ordinal) - 1] = outcomeOf(row);
      // A command without a row, or with two, is a bug: the function lost or doubled it in a join.
      const returned = outcomes.filter((outcome) => outcome !== withoutRow).length;
      if (rows.length !== returned || (withoutRow === undefined && returned !== commands.length)) {
        throw new Error(`${name}: ${commands.length} commands got ${rows.length} rows`);
      }
      return outcomes as Outcome[];
    },
  };
}

const againOf = (name: string, parameters: readonly string[]) => ({
  name: `${name} again`,
  text: `SELECT * FROM ${name}(${parameters}, _again => true)`,
});

let lastBatchID = randomBytes(8).readBigInt64BE() / 2n;

/** The id is unique: each process has a random start, then +1. */
function nextBatchID(): bigint {
  lastBatchID += 1n;
  return lastBatchID;
}

/** Called once for each batch; `command` is the name of the SQL function or of the look-up. */
export type BatchObserver = (command: string, batch: ObservedBatch) => void;

export type BatchLimits = Omit<BatcherOptions<never, never>, 'name' | 'run' | 'observe' | 'keyOf'>;

/** More than a node runs in the time for which a command may wait. */
const MOST_WAITING = 5_000;
/**
 * A player who would wait longer has to come again. Less than the time after which a node is not
 * ready: other nodes have the same database.
 */
const LONGEST_DELAY_MS = 2_000;

/** Returns the limits of a queue of commands for this database. */
export function batchLimitsOf({ limits: { connectMs } }: Pick<Database, 'limits'>): BatchLimits {
  return { maxWaiting: MOST_WAITING, maxWaitMs: connectMs, maxDelayMs: LONGEST_DELAY_MS };
}
