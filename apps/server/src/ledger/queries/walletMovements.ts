import { type CurrencyCode, type Micros, toMicros } from '@roundhouse/contract';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import type { WalletCallState } from '../generated/enums.ts';

/** How far a movement is; settledAt: null while it may still be repeated. */
export type MovementProgress = { state: WalletCallState; answer: string | null; settledAt: Date | null };

/** A movement that was written down here, as an operator's list must show it. */
export type WalletMovement = MovementProgress & {
  transactionID: string;
  kind: 'debit' | 'credit' | 'rollback';
  /** The debit that a credit or rollback answers; of a debit its own id. */
  debitID: string;
  roundID: bigint;
  /** The operator's name for the player. */
  playerID: string;
  currency: CurrencyCode;
  amount: Micros;
  createdAt: Date;
  /** That of the same round, if there is one. */
  rollback: MovementProgress | undefined;
};

/** Movements of one operator that were written down from `from` on and before `to`. */
export type MovementWindow = { operatorID: number; from: Date; to: Date };

type Row = {
  id: string;
  kind: WalletMovement['kind'];
  state: WalletCallState;
  answer: string | null;
  settled_at: Date | null;
  debit_id: string;
  round_id: bigint;
  external_id: string;
  currency: string;
  amount_micros: bigint;
  created_at: Date;
  rollback_state: WalletCallState | null;
  rollback_answer: string | null;
  rollback_settled_at: Date | null;
};

const SELECT = Prisma.sql`
  SELECT w.id, w.kind::text, w.state::text, w.answer, w.settled_at, d.id AS debit_id, w.round_id, p.external_id, a.currency,
    w.amount_micros, w.created_at, b.state::text AS rollback_state, b.answer AS rollback_answer, b.settled_at AS rollback_settled_at
  FROM wallet_calls w
  JOIN rounds r ON r.id = w.round_id
  JOIN accounts a ON a.id = r.account_id
  JOIN players p ON p.id = r.player_id
  JOIN wallet_calls d ON d.round_id = w.round_id AND d.kind = 'debit'
  LEFT JOIN wallet_calls b ON b.round_id = w.round_id AND b.kind = 'rollback'`;

/** Those of these transactionIDs that are the operator's, by transactionID in lower case. */
export async function findWalletMovements(
  db: Database,
  operatorID: number,
  transactionIDs: readonly string[],
): Promise<Map<string, WalletMovement>> {
  const rows = await db.$queryRaw<Row[]>`
    ${SELECT} WHERE w.id = ANY (${transactionIDs}::uuid[]) AND a.operator_id = ${operatorID}`;
  return new Map(rows.map((row) => [row.id, movementOf(row)]));
}

const PAGE_SIZE = 5_000;
/** A slice that holds more than a page is cut shorter, down to this; one that holds little makes the next one longer, up to that. */
const SHORTEST_SLICE_MS = 1_000;
const LONGEST_SLICE_MS = 3_600_000;
const SLICE_FACTOR = 4;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** All of a time, page by page. By slices of time, because the index of times is a coarse one: it finds a stretch of the table, not a row. */
export async function* walkWalletMovements(
  db: Database,
  { operatorID, from, to }: MovementWindow,
): AsyncGenerator<WalletMovement[]> {
  let beginMs = from.getTime();
  let lengthMs = SHORTEST_SLICE_MS * 60;
  let after = FIRST_ID;
  while (beginMs < to.getTime()) {
    const endMs = Math.min(beginMs + lengthMs, to.getTime());
    const slice = { operatorID, from: new Date(beginMs), to: new Date(endMs) };
    const rows = await readSlice(db, slice, after);
    const isFull = rows.length === PAGE_SIZE;
    if (isFull && lengthMs > SHORTEST_SLICE_MS) {
      lengthMs = Math.max(SHORTEST_SLICE_MS, Math.floor(lengthMs / SLICE_FACTOR));
      continue;
    }
    if (rows.length > 0) yield rows.map(movementOf);
    after = (isFull && rows.at(-1)?.id) || FIRST_ID;
    if (isFull) continue;
    beginMs = endMs;
    if (rows.length < PAGE_SIZE / SLICE_FACTOR) lengthMs = Math.min(LONGEST_SLICE_MS, lengthMs * 2);
  }
}

function readSlice(db: Database, { operatorID, from, to }: MovementWindow, after: string): Promise<Row[]> {
  return db.$queryRaw<Row[]>`
    ${SELECT}
    WHERE a.operator_id = ${operatorID} AND w.created_at >= ${from}::timestamptz AND w.created_at < ${to}::timestamptz
      AND w.id > ${after}::uuid
    ORDER BY w.id LIMIT ${PAGE_SIZE}`;
}

/** When the last movement of this time was settled, its rollback counted too, if one was by `asOf`. */
export async function lastSettlement(
  db: Database,
  { operatorID, from, to, asOf }: MovementWindow & { asOf: Date },
): Promise<Date | undefined> {
  const [row] = await db.$queryRaw<{ last: Date | null }[]>`
    SELECT max(c.settled_at) AS last
    FROM wallet_calls w
    JOIN rounds r ON r.id = w.round_id
    JOIN accounts a ON a.id = r.account_id
    JOIN wallet_calls c ON c.round_id = w.round_id AND (c.id = w.id OR c.kind = 'rollback')
    WHERE a.operator_id = ${operatorID} AND w.created_at >= ${from}::timestamptz AND w.created_at < ${to}::timestamptz
      AND c.settled_at <= ${asOf}::timestamptz`;
  return row?.last ?? undefined;
}

/** The clock that the times of movements are taken from. */
export async function databaseClock(db: Database): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  if (row === undefined) throw new Error('the database does not tell the time');
  return row.now;
}

function movementOf(row: Row): WalletMovement {
  return {
    transactionID: row.id,
    kind: row.kind,
    state: row.state,
    answer: row.answer,
    settledAt: row.settled_at,
    debitID: row.debit_id,
    roundID: row.round_id,
    playerID: row.external_id,
    currency: row.currency as CurrencyCode,
    amount: toMicros(row.amount_micros),
    createdAt: row.created_at,
    rollback:
      row.rollback_state === null
        ? undefined
        : { state: row.rollback_state, answer: row.rollback_answer, settledAt: row.rollback_settled_at },
  };
}
