import { type Micros, type MovementState, toMicros } from '@roundhouse/contract';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import {
  OPERATOR_ROUND_COLUMNS,
  type OperatorRoundRecord,
  type OperatorRoundRow,
  operatorRound,
} from './operatorRoundRow.ts';

type MovementRecord = {
  transactionID: string;
  kind: 'debit' | 'credit' | 'rollback';
  amount: Micros;
  state: MovementState;
  /** 0 for the house wallet, where round and money move as one and nothing is sent. */
  attempts: number;
  createdAt: Date;
  settledAt: Date | null;
};

export type RoundDetailRecord = OperatorRoundRecord & {
  bookID: number;
  /** In the order in which they were made. */
  movements: MovementRecord[];
  /** Oldest first. */
  events: { event: string; at: Date }[];
};

type DetailRow = OperatorRoundRow & {
  book_id: bigint;
  movements: (Omit<MovementRecord, 'createdAt' | 'settledAt'> & { createdAt: string; settledAt: string | null })[];
  events: { event: string; at: string }[];
};

/** The round with its money and its events, in one statement and so of one moment. Undefined when it is none of this operator. */
export async function findRoundDetail(
  db: Database,
  { operatorID, roundID }: { operatorID: number; roundID: bigint },
): Promise<RoundDetailRecord | undefined> {
  const [row] = await db.$queryRaw<DetailRow[]>`
    SELECT ${Prisma.raw(OPERATOR_ROUND_COLUMNS)}, r.book_id, m.movements, e.events
    FROM rounds r
    JOIN accounts a ON a.id = r.account_id
    JOIN players p ON p.id = r.player_id
    JOIN game_versions v ON v.id = r.game_version_id
    JOIN games g ON g.id = v.game_id
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(json_build_object('transactionID', id, 'kind', kind, 'amount', amount_micros, 'state', state,
        'attempts', attempts, 'createdAt', created_at, 'settledAt', settled_at) ORDER BY created_at, kind), '[]') AS movements
      FROM (
        SELECT id::text, kind, amount_micros, state::text, attempts, created_at, settled_at FROM wallet_calls WHERE round_id = r.id
        UNION ALL
        SELECT 'transfer-' || id, CASE kind WHEN 'bet' THEN 'debit' WHEN 'payout' THEN 'credit' ELSE 'rollback' END::wallet_call_kind,
          amount_micros, 'accepted', 0, created_at, created_at FROM transfers WHERE round_id = r.id
      ) movement
    ) m
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(json_build_object('event', event, 'at', created_at) ORDER BY seq), '[]') AS events
      FROM round_events WHERE round_id = r.id
    ) e
    WHERE r.id = ${roundID} AND a.operator_id = ${operatorID}`;
  return row && { ...operatorRound(row), bookID: Number(row.book_id), ...moments(row) };
}

/** JSON has no instants and no amounts of our own. */
function moments({ movements, events }: DetailRow): Pick<RoundDetailRecord, 'movements' | 'events'> {
  return {
    movements: movements.map((movement) => ({
      ...movement,
      amount: toMicros(movement.amount),
      createdAt: new Date(movement.createdAt),
      settledAt: movement.settledAt === null ? null : new Date(movement.settledAt),
    })),
    events: events.map(({ event, at }) => ({ event, at: new Date(at) })),
  };
}
