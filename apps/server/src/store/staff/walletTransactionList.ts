import { type RoundTransactionKind, type TransactionState, toMicros } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';
import { DISORDER_MS, endOfRoundsBefore, lowestRoundSince } from '../database/idsOfTime.ts';
import type { StoredAmounts } from '../database/rowShape.ts';
import { Prisma } from '../generated/client.ts';
import type { WalletTransaction } from '../rounds/walletTransaction.ts';

/** A wallet transaction as a person sees it, with its attempts. */
export type ShownTransaction = Omit<WalletTransaction, 'playerID' | 'grantID' | 'reason' | 'rollback'> & {
  httpStatus: number | null;
  /** The last attempt ended then; it is null before the first one. */
  resultAt: Date | null;
  /** When a pending one is attempted again. */
  dueAt: Date;
  /** When its retries began. */
  retriedSince: Date;
  /** The operator's wallet speaks this protocol. */
  dialect: string;
};

/** The last wallet transaction of a page: the next one begins after it. */
export type TransactionPlace =
  | { order: 'time'; at: string; transactionID: string }
  | { order: 'round'; roundID: bigint; kind: RoundTransactionKind };

export type TransactionsWanted = {
  operatorID: number | undefined;
  /** The operator knows the player by this name. */
  externalID: string | undefined;
  kind: RoundTransactionKind | undefined;
  from: Date | undefined;
  to: Date | undefined;
  /** Micros, inclusive. */
  minAmount: number | undefined;
  maxAmount: number | undefined;
  limit: number;
  after: TransactionPlace | undefined;
  /**
   * The largest number of unsettled transactions that one page reads, or of rounds whose
   * transactions it reads.
   */
  span?: number;
};

export type TransactionsPage = { transactions: ShownTransaction[]; next: TransactionPlace | undefined };

/** The cost of a page has this bound, whatever its filter leaves out. */
const MOST_ROWS_A_PAGE = 5_000;
/** The newest rounds of a player in each game are merged, so each game costs as many. */
const MOST_ROUNDS_OF_A_PLAYER = 1_000;

type Found = { id: string; at: string; roundID: bigint; kind: RoundTransactionKind };

/**
 * Lists pending ones by their next attempt, or parked ones from the oldest on. Each of the two
 * states has an index, so no settled row is read.
 */
export async function listUnsettled(
  db: Database,
  state: 'pending' | 'parked',
  wanted: TransactionsWanted,
): Promise<TransactionsPage> {
  const { limit, after, from, to, span = MOST_ROWS_A_PAGE } = wanted;
  const [column, literal] = state === 'pending' ? ['due_at', "'pending'"] : ['created_at', "'parked'"];
  const [at, stateText] = [Prisma.raw(column), Prisma.raw(literal)];
  const begin =
    after?.order === 'time'
      ? Prisma.sql`AND (u.${at}, u.transaction_id) > (${after.at}::timestamptz, ${after.transactionID}::uuid)`
      : Prisma.empty;
  const walked = Prisma.sql`
    SELECT * FROM wallet_transactions u WHERE u.state = ${stateText} ${begin}
      ${state === 'parked' ? within('u.created_at', from, to) : Prisma.empty}
    ORDER BY u.${at}, u.transaction_id LIMIT ${span}`;
  const rows = await db.$queryRaw<Found[]>`
    SELECT w.transaction_id::text AS id, ${instantText(Prisma.sql`w.${at}`)} AS at, w.round_id AS "roundID",
      w.kind::text
    FROM (${walked}) w
    JOIN rounds r ON r.id = w.round_id
    WHERE true ${within('w.created_at', from, to)} ${ofOwner(wanted)} ${ofContent(wanted)}
    ORDER BY w.${at}, w.transaction_id LIMIT ${limit + 1}`;
  const last = rows.length > limit ? rows[limit - 1] : await endOfWalk(db, { walked, at, span });
  const transactions = await readShown(db, rows.slice(0, limit));
  return { transactions, next: last && { order: 'time', at: last.at, transactionID: last.id } };
}

/** The filter left out the rest: the next page goes on where the walk has ended. */
async function endOfWalk(
  db: Database,
  { walked, at, span }: { walked: Prisma.Sql; at: Prisma.Sql; span: number },
): Promise<Pick<Found, 'id' | 'at'> | undefined> {
  const [row] = await db.$queryRaw<Pick<Found, 'id' | 'at'>[]>`
    SELECT w.transaction_id::text AS id, ${instantText(Prisma.sql`w.${at}`)} AS at
    FROM (${walked}) w
    ORDER BY w.${at}, w.transaction_id OFFSET ${span - 1}`;
  return row;
}

/**
 * Lists those of the newest rounds first, also archived ones. Rounds are walked by their ids, which
 * is the order of time, or by the index of a player's rounds.
 */
export async function listOfRounds(
  db: Database,
  state: TransactionState | undefined,
  wanted: TransactionsWanted & { roundID?: bigint | undefined },
): Promise<TransactionsPage> {
  const { limit, after, roundID, externalID, operatorID, from, to } = wanted;
  const owner = externalID !== undefined && operatorID !== undefined && { externalID, operatorID };
  const { span = owner ? MOST_ROUNDS_OF_A_PLAYER : MOST_ROWS_A_PAGE } = wanted;
  const place = after?.order === 'round' ? after : undefined;
  const [lowest, end] =
    roundID === undefined
      ? await Promise.all([
          from === undefined ? 1n : lowestRoundSince(db, new Date(from.getTime() - DISORDER_MS)),
          endOfRoundsBefore(db, to && new Date(to.getTime() + DISORDER_MS)),
        ])
      : [roundID, roundID + 1n];
  const high = place !== undefined && place.roundID < end ? place.roundID + 1n : end;
  const range = Prisma.sql`r.id >= ${lowest} AND r.id < ${high}`;
  const walked = owner
    ? roundsOfPlayer(range, { ...owner, span })
    : Prisma.sql`
        SELECT r.id, r.account_id, r.player_id, r.opened_at
        FROM all_rounds r
        WHERE ${range}
        ORDER BY r.id DESC LIMIT ${span}`;
  const begin =
    place === undefined
      ? Prisma.empty
      : Prisma.sql`AND (w.round_id, w.kind) < (${place.roundID}, ${place.kind}::wallet_transaction_kind)`;
  const rows = await db.$queryRaw<Found[]>`
    SELECT w.transaction_id::text AS id, '' AS at, w.round_id AS "roundID", w.kind::text
    FROM (${walked}) r
    CROSS JOIN LATERAL (SELECT * FROM all_wallet_transactions t WHERE t.round_id = r.id) w
    WHERE true ${begin} ${within('r.opened_at', from, to)} ${ofOwner(wanted)} ${ofContent(wanted)}
      ${state === undefined ? Prisma.empty : Prisma.sql`AND w.state = ${state}::wallet_transaction_state`}
    ORDER BY w.round_id DESC, w.kind DESC LIMIT ${limit + 1}`;
  const transactions = await readShown(db, rows.slice(0, limit));
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  if (last !== undefined) return { transactions, next: { order: 'round', roundID: last.roundID, kind: last.kind } };
  const [walkedTo] = await db.$queryRaw<
    { id: bigint }[]
  >`SELECT id FROM (${walked}) r ORDER BY id DESC OFFSET ${span - 1}`;
  // The debit is the first kind: everything of older rounds comes after it.
  return { transactions, next: walkedTo && { order: 'round', roundID: walkedTo.id, kind: 'debit' } };
}

type OfPlayer = { operatorID: number; externalID: string; span: number };

/** An index holds the rounds of each account and game together; the newest of each are merged. */
function roundsOfPlayer(range: Prisma.Sql, { operatorID, externalID, span }: OfPlayer): Prisma.Sql {
  return Prisma.sql`
    SELECT r.*
    FROM players p
    JOIN accounts a ON a.player_id = p.id
    CROSS JOIN games g
    CROSS JOIN LATERAL (
      SELECT r.id, r.account_id, r.player_id, r.opened_at
      FROM all_rounds r
      WHERE r.account_id = a.id AND r.game_id = g.id AND ${range}
      ORDER BY r.account_id DESC, r.game_id DESC, r.id DESC LIMIT ${span}
    ) r
    WHERE p.operator_id = ${operatorID} AND p.external_id = ${externalID}
    ORDER BY r.id DESC LIMIT ${span}`;
}

/** Reads one of the operator, or of any; undefined when there is none. */
export async function findShownTransaction(
  db: Database,
  { transactionID, operatorID }: { transactionID: string; operatorID: number | undefined },
): Promise<ShownTransaction | undefined> {
  const [shown] = await readShown(db, [{ id: transactionID }]);
  return shown === undefined || (operatorID !== undefined && shown.operatorID !== operatorID) ? undefined : shown;
}

/** Reads those of the operator, or of any, in no order. */
export async function findShownTransactions(
  db: Database,
  { transactionIDs, operatorID }: { transactionIDs: readonly string[]; operatorID: number | undefined },
): Promise<ShownTransaction[]> {
  const shown = await readShown(
    db,
    transactionIDs.map((id) => ({ id })),
  );
  return shown.filter((each) => operatorID === undefined || each.operatorID === operatorID);
}

type ShownRow = StoredAmounts<ShownTransaction, 'amount'>;

/** Reads the details of at most a page, in the given order. */
async function readShown(db: Database, found: readonly Pick<Found, 'id'>[]): Promise<ShownTransaction[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const rows = await db.$queryRaw<ShownRow[]>`
    SELECT w.transaction_id::text AS "transactionID", w.kind::text, w.state::text, w.result_code AS "resultCode",
      w.http_status AS "httpStatus", w.result_detail AS "resultDetail", w.result_at AS "resultAt", w.attempts,
      w.settled_by::text AS "settledBy", w.settled_at AS "settledAt", w.settlement_note AS "settlementNote",
      w.due_at AS "dueAt", w.retry_until - retry_period() AS "retriedSince", w.created_at AS "createdAt", w.dialect,
      w.debit_transaction_id::text AS "debitTransactionID", w.round_id AS "roundID", w.external_id AS "externalID",
      w.game AS "gameID", w.operator_id AS "operatorID", w.operator AS "operatorCode", w.currency,
      w.amount_micros AS amount, w.wallet_reference AS reference
    FROM all_wallet_transaction_details w
    WHERE w.transaction_id = ANY (${ids}::uuid[])`;
  const byID = new Map(rows.map((row) => [row.transactionID, { ...row, amount: toMicros(row.amount) }]));
  return ids.flatMap((id) => byID.get(id) ?? []);
}

/** Returns who changed each of these last, by transactionID: the actor of the significant event. */
export async function lastChangesByPerson(
  db: Database,
  transactionIDs: readonly string[],
): Promise<Map<string, { by: string; at: Date }>> {
  const subjects = transactionIDs.map((id) => `wallet transaction ${id}`);
  const rows = await db.$queryRaw<{ subject: string; by: string; at: Date }[]>`
    SELECT DISTINCT ON (subject) subject, actor AS by, at
    FROM significant_events
    WHERE kind = 'wallet_transaction_changed' AND subject = ANY (${subjects})
    ORDER BY subject, seq DESC`;
  return new Map(rows.map(({ subject, by, at }) => [subject.replace('wallet transaction ', ''), { by, at }]));
}

/** A query for each round: a join could read all accounts, which are more than a page shows. */
function ofOwner({ operatorID, externalID }: TransactionsWanted): Prisma.Sql {
  const operator =
    operatorID === undefined
      ? Prisma.empty
      : Prisma.sql`AND (SELECT a.operator_id FROM accounts a WHERE a.id = r.account_id) = ${operatorID}`;
  const player =
    externalID === undefined
      ? Prisma.empty
      : Prisma.sql`AND (SELECT p.external_id FROM players p WHERE p.id = r.player_id) = ${externalID}`;
  return Prisma.sql`${operator} ${player}`;
}

function ofContent({ kind, minAmount, maxAmount }: TransactionsWanted): Prisma.Sql {
  const ofKind = kind === undefined ? Prisma.empty : Prisma.sql`AND w.kind = ${kind}::wallet_transaction_kind`;
  const least = minAmount === undefined ? Prisma.empty : Prisma.sql`AND w.amount_micros >= ${BigInt(minAmount)}`;
  const most = maxAmount === undefined ? Prisma.empty : Prisma.sql`AND w.amount_micros <= ${BigInt(maxAmount)}`;
  return Prisma.sql`${ofKind} ${least} ${most}`;
}

function within(name: string, from: Date | undefined, to: Date | undefined): Prisma.Sql {
  const column = Prisma.raw(name);
  const since = from === undefined ? Prisma.empty : Prisma.sql`AND ${column} >= ${from}::timestamptz`;
  return Prisma.sql`${since} ${to === undefined ? Prisma.empty : Prisma.sql`AND ${column} < ${to}::timestamptz`}`;
}

/** Writes an instant with its microseconds: a Date has milliseconds, and a place must be exact. */
function instantText(column: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
