import { type GrantState, type Micros, toMicros } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';

export type SessionState = 'issued' | 'authenticated' | 'revoked';

/** What surrounds a round: the session in which it was opened, its grant, and the limits. */
export type RoundContext = {
  gameTitle: string;
  /** undefined when the session was deleted. */
  session: { createdAt: Date; expiresAt: Date; state: SessionState; country: string | null } | undefined;
  grant: StoredGrantFacts | undefined;
  /** The most that a play of the session may cost; null for no limit. */
  maxStake: Micros | null;
  /** null when the session was deleted. */
  minimumRoundDurationMs: number | null;
  /** Percent, from the jurisdiction of the operator as it is now. */
  minimumRTP: number | null;
  /** The mode returns so much, a fraction of 1. */
  rtp: number | null;
  /** Limits in the currency of the round, as they are now; null for none. */
  operator: { maxBet: Micros | null; dailyWager: Micros | null; dailyLoss: Micros | null };
  player: { dailyWager: Micros | null; dailyLoss: Micros | null };
  /** The wallet of the operator lets the server complete a round. */
  completesRounds: boolean;
};

type StoredGrantFacts = {
  grantID: string;
  campaignID: string | null;
  state: GrantState;
  given: number;
  used: number;
  left: number;
  createdAt: Date;
};

type Row = {
  title: string;
  sessionCreatedAt: Date | null;
  sessionExpiresAt: Date;
  sessionState: SessionState;
  sessionCountry: string | null;
  maxStake: bigint | null;
  minimumRoundDurationMs: number | null;
  minimumRTP: number | null;
  rtp: number | null;
  maxBet: bigint | null;
  operatorWager: bigint | null;
  operatorLoss: bigint | null;
  playerWager: bigint | null;
  playerLoss: bigint | null;
  completesRounds: boolean;
  grantID: string | null;
  campaignID: string | null;
  grantState: GrantState;
  given: number;
  used: number;
  left: number;
  grantCreatedAt: Date;
};

/** Reads what surrounds a stored round, each table by its key. */
export async function findRoundContext(db: Database, roundID: bigint): Promise<RoundContext> {
  const [row] = await db.$queryRaw<Row[]>`
    SELECT v.title, s.created_at AS "sessionCreatedAt", s.expires_at AS "sessionExpiresAt",
      s.state::text AS "sessionState", s.country AS "sessionCountry",
      least(s.max_stake_micros, s.verified_max_stake_micros) AS "maxStake",
      (s.jurisdiction ->> 'minimumRoundDuration')::integer AS "minimumRoundDurationMs",
      (o.jurisdiction ->> 'minimumRTP')::double precision AS "minimumRTP",
      (v.mode_returns -> r.mode ->> 'rtp')::double precision AS rtp,
      l.max_bet_micros AS "maxBet",
      l.daily_wager_limit_micros AS "operatorWager", l.daily_loss_limit_micros AS "operatorLoss",
      a.daily_wager_limit_micros AS "playerWager", a.daily_loss_limit_micros AS "playerLoss",
      o.completes_rounds AS "completesRounds",
      g.external_id AS "grantID", c.external_id AS "campaignID", g.state::text AS "grantState",
      g.given, g.used, g."left",
      g.created_at AS "grantCreatedAt"
    FROM all_rounds r
    CROSS JOIN LATERAL (SELECT * FROM accounts WHERE id = r.account_id LIMIT 1) a
    CROSS JOIN LATERAL (SELECT * FROM operators WHERE id = a.operator_id LIMIT 1) o
    CROSS JOIN LATERAL (SELECT * FROM game_versions WHERE id = r.game_version_id LIMIT 1) v
    LEFT JOIN LATERAL (
      SELECT *
      FROM operator_limits
      WHERE operator_id = a.operator_id AND currency = a.currency
      LIMIT 1
    ) l ON true
    LEFT JOIN LATERAL (SELECT * FROM sessions WHERE id = r.session_id LIMIT 1) s ON true
    LEFT JOIN LATERAL (SELECT * FROM grants WHERE id = r.grant_id LIMIT 1) g ON true
    LEFT JOIN LATERAL (SELECT * FROM campaigns WHERE id = g.campaign_id LIMIT 1) c ON true
    WHERE r.id = ${roundID}`;
  if (row === undefined) throw new Error(`there is no round ${roundID}`);
  const { title, minimumRoundDurationMs, minimumRTP, rtp, completesRounds } = row;
  return {
    ...{ gameTitle: title, minimumRoundDurationMs, minimumRTP, rtp, completesRounds },
    session: sessionOf(row),
    grant: grantOf(row),
    maxStake: limitOf(row.maxStake),
    operator: {
      maxBet: limitOf(row.maxBet),
      dailyWager: limitOf(row.operatorWager),
      dailyLoss: limitOf(row.operatorLoss),
    },
    player: { dailyWager: limitOf(row.playerWager), dailyLoss: limitOf(row.playerLoss) },
  };
}

function sessionOf({ sessionCreatedAt: createdAt, sessionExpiresAt, sessionState, sessionCountry }: Row) {
  if (createdAt === null) return undefined;
  return { createdAt, expiresAt: sessionExpiresAt, state: sessionState, country: sessionCountry };
}

function grantOf({ grantID, campaignID, grantState: state, given, used, left, grantCreatedAt: createdAt }: Row) {
  return grantID === null ? undefined : { grantID, campaignID, state, given, used, left, createdAt };
}

export function limitOf(micros: bigint | null): Micros | null {
  return micros === null ? null : toMicros(micros);
}
