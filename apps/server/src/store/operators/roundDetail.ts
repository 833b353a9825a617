import { type Micros, type RoundTransactionKind, type TransactionState, toMicros } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';
import { instantOrNull, type RowOf } from '../database/rowShape.ts';
import { Prisma } from '../generated/client.ts';
import { type ResultCode, resultText, type Settler, type WalletTransaction } from '../rounds/walletTransaction.ts';
import { OPERATOR_ROUND, OPERATOR_ROUND_TABLES, type OperatorRoundRecord } from './operatorRounds.ts';

/** A wallet transaction, or a transfer of the house wallet in its shape. */
type RoundTransaction = {
  transactionID: string;
  kind: RoundTransactionKind;
  amount: Micros;
  state: TransactionState;
  /** The house wallet has 0, because it sends nothing. */
  attempts: number;
  createdAt: Date;
  settledAt: Date | null;
  /**
   * A person reads the result of the last attempt; null before the first one and for the house
   * wallet.
   */
  lastResponse: string | null;
  /** The wallet's own id of it. */
  reference: string | null;
  lastResponseAt: Date | null;
  /** When it is sent again; null: never. */
  nextAttemptAt: Date | null;
  /** The last attempt had this result; null before it, and for the house wallet. */
  resultCode: ResultCode | null;
  httpStatus: number | null;
  settledBy: Settler | null;
  /** A person settled it with this note. */
  settlementNote: string | null;
  /** The operator gets the reason of a rollback. */
  reason: string | null;
};

/** A page has events with a higher number than `after`, at most `limit`. */
export type EventsWanted = { after: bigint; limit: number };

export type RoundDetailRecord = OperatorRoundRecord & {
  /** They have the order in which they were made. */
  transactions: RoundTransaction[];
  /** The oldest event is first. */
  events: { event: string; at: Date }[];
  /** The following page of events begins here; undefined when there is none. */
  nextEvent: number | undefined;
};

type Moment = 'createdAt' | 'settledAt' | 'lastResponseAt' | 'nextAttemptAt';
/** JSON has instants as texts. */
type RoundTransactionRow = Omit<RoundTransaction, Moment | 'lastResponse'> &
  Pick<WalletTransaction, 'resultDetail'> & {
    [Key in Moment]: string | Extract<RoundTransaction[Key], null>;
  };
type DetailRow = RowOf<typeof OPERATOR_ROUND> & {
  transactions: RoundTransactionRow[];
  events: { seq: number; event: string; at: string }[];
};

type DetailWanted = {
  /** Without one, the round of any operator is found. */
  operatorID: number | undefined;
  roundID: bigint;
  events: EventsWanted;
};

/**
 * Reads the round with its money and a page of its events, in one statement and so of one moment.
 * Returns undefined when the operator has no such round.
 */
export async function findRoundDetail(
  db: Database,
  { operatorID, roundID, events: { after, limit } }: DetailWanted,
): Promise<RoundDetailRecord | undefined> {
  const [row] = await db.$queryRaw<DetailRow[]>`
    SELECT ${Prisma.raw(OPERATOR_ROUND.columns)}, m.transactions, e.events
    FROM all_rounds r
    ${Prisma.raw(OPERATOR_ROUND_TABLES)}
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(json_build_object(
        'transactionID', id, 'kind', kind, 'amount', amount_micros, 'state', state, 'attempts', attempts,
        'createdAt', created_at, 'settledAt', settled_at, 'resultCode', result_code, 'resultDetail', result_detail,
        'settledBy', settled_by, 'settlementNote', settlement_note, 'httpStatus', http_status, 'reason', reason,
        'reference', reference, 'lastResponseAt', result_at, 'nextAttemptAt', due_at
      ) ORDER BY created_at, kind), '[]') AS transactions
      FROM (
        SELECT transaction_id::text AS id, kind, amount_micros, state::text, attempts, created_at, settled_at,
          result_code, result_detail, settled_by, settlement_note, http_status, reason, wallet_reference AS reference,
          CASE WHEN settled_by = 'person' THEN settled_at ELSE result_at END AS result_at,
          CASE WHEN state = 'pending' AND kind <> 'debit' THEN due_at END AS due_at
        FROM all_wallet_transactions
        WHERE round_id = r.id
        UNION ALL
        SELECT 'transfer-' || id,
          CASE kind
            WHEN 'bet' THEN 'debit'
            WHEN 'payout' THEN 'credit'
            WHEN 'winnings' THEN 'winnings'
            ELSE 'rollback'
          END::wallet_transaction_kind,
          amount_micros, 'accepted', 0, created_at, created_at, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
          NULL
        FROM all_transfers
        WHERE round_id = r.id
      ) money
    ) m
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(
        json_build_object('seq', seq, 'event', event, 'at', created_at) ORDER BY seq
      ), '[]') AS events
      FROM (
        SELECT seq, event, created_at
        FROM all_round_events
        WHERE round_id = r.id AND seq > ${after}
        ORDER BY seq LIMIT ${limit + 1}
      ) page
    ) e
    WHERE r.id = ${roundID} ${operatorID === undefined ? Prisma.empty : Prisma.sql`AND a.operator_id = ${operatorID}`}`;
  if (row === undefined) return undefined;
  const transactions = row.transactions.map(transactionOf);
  return { ...OPERATOR_ROUND.read(row), transactions, ...pageOf(row.events, limit) };
}

/** JSON has neither instants nor our amounts. */
function transactionOf(row: RoundTransactionRow): RoundTransaction {
  const { resultDetail, ...shown } = row;
  return {
    ...shown,
    amount: toMicros(row.amount),
    lastResponse: resultText(row),
    createdAt: new Date(row.createdAt),
    settledAt: instantOrNull(row.settledAt),
    lastResponseAt: instantOrNull(row.lastResponseAt),
    nextAttemptAt: instantOrNull(row.nextAttemptAt),
  };
}

/** One event more than the page holds means that there is another page. */
function pageOf(rows: DetailRow['events'], limit: number): Pick<RoundDetailRecord, 'events' | 'nextEvent'> {
  const page = rows.slice(0, limit);
  return {
    events: page.map(({ event, at }) => ({ event, at: new Date(at) })),
    nextEvent: rows.length > limit ? page.at(-1)?.seq : undefined,
  };
}
