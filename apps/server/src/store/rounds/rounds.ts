import { type Micros, toMicros } from '@roundhouse/contract';
import { bigint, boolean, type ColumnValues, numeric, text } from '../database/batchCommand.ts';
import type { Database } from '../database/database.ts';

/** The caller knows the game of this stored round, which is pinned to its game version and book. */
export type RoundOfGame = {
  roundID: bigint;
  gameVersion: string;
  mode: string;
  /** Exact decimal text. */
  costMultiplier: string;
  amount: Micros;
  payout: Micros;
  bookID: number;
  /** Hundredths. */
  payoutMultiplier: bigint;
  active: boolean;
  lastEvent: string | null;
  /** A free round has a grant; the id is the operator's. */
  grantID: string | undefined;
};

export type RoundRecord = RoundOfGame & { gameID: string };

/** The columns of a round, as authenticate_sessions and findRound return them. */
export const ROUND_OF_GAME = {
  version: text,
  mode: text,
  cost_multiplier: numeric,
  amount_micros: bigint,
  payout_micros: bigint,
  book_id: bigint,
  payout_multiplier: bigint,
  active: boolean,
  last_event: text.as<string | null>(),
};
type Row = ColumnValues<typeof ROUND_OF_GAME> & { id: bigint; grant_id: string | null };

export async function findRound(db: Database, roundID: bigint): Promise<RoundRecord | undefined> {
  const [row] = await db.$queryRaw<(Row & { code: string })[]>`
    SELECT r.id, g.code, v.version, r.mode, r.cost_multiplier::text, r.amount_micros, r.payout_micros, r.book_id,
      r.payout_multiplier, r.ended_at IS NULL AS active,
      (SELECT e.event FROM all_round_events e WHERE e.round_id = r.id ORDER BY e.seq DESC LIMIT 1) AS last_event,
      (SELECT external_id FROM grants WHERE id = r.grant_id) AS grant_id
    FROM all_rounds r
    JOIN game_versions v ON v.id = r.game_version_id
    JOIN games g ON g.id = v.game_id
    WHERE r.id = ${roundID}`;
  return row && { ...roundOfGame(row), gameID: row.code };
}

export function roundOfGame(row: Row): RoundOfGame {
  return {
    roundID: row.id,
    gameVersion: row.version,
    mode: row.mode,
    costMultiplier: row.cost_multiplier,
    amount: toMicros(row.amount_micros),
    payout: toMicros(row.payout_micros),
    bookID: Number(row.book_id),
    payoutMultiplier: row.payout_multiplier,
    active: row.active,
    lastEvent: row.last_event,
    grantID: row.grant_id ?? undefined,
  };
}
