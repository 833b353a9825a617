import type { GrantState, Micros } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';
import { column, nullableMicros, type RecordOf, type RowOf, rowShape } from '../database/rowShape.ts';
import { Prisma } from '../generated/client.ts';
import { type AccountLimits, LIMITS, limitsOf } from './accountLimits.ts';

export type SessionState = 'issued' | 'authenticated' | 'revoked';

/** What surrounds a round: the session in which it was opened, its grant, and the limits. */
export type RoundContext = AccountLimits & {
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
  /** The mode has this RTP, a fraction of 1. */
  rtp: number | null;
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

const CONTEXT = rowShape({
  gameTitle: column<string>('v.title'),
  sessionCreatedAt: column<Date | null>('s.created_at'),
  sessionExpiresAt: column<Date>('s.expires_at'),
  sessionState: column<SessionState>('s.state::text'),
  sessionCountry: column<string | null>('s.country'),
  maxStake: nullableMicros('least(s.max_stake_micros, s.verified_max_stake_micros)'),
  minimumRoundDurationMs: column<number | null>(`(s.jurisdiction ->> 'minimumRoundDuration')::integer`),
  minimumRTP: column<number | null>(`(o.jurisdiction ->> 'minimumRTP')::double precision`),
  rtp: column<number | null>(`(v.mode_returns -> r.mode ->> 'rtp')::double precision`),
  ...LIMITS.members,
  completesRounds: column<boolean>('o.completes_rounds'),
  grantID: column<string | null>('g.external_id'),
  campaignID: column<string | null>('c.external_id'),
  grantState: column<GrantState>('g.state::text'),
  given: column<number>('g.given'),
  used: column<number>('g.used'),
  left: column<number>('g."left"'),
  grantCreatedAt: column<Date>('g.created_at'),
});
type Context = RecordOf<typeof CONTEXT>;

/** Reads what surrounds a stored round, each table by its key. */
export async function findRoundContext(db: Database, roundID: bigint): Promise<RoundContext> {
  const [row] = await db.$queryRaw<RowOf<typeof CONTEXT>[]>`
    SELECT ${Prisma.raw(CONTEXT.columns)}
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
  const context = CONTEXT.read(row);
  const { gameTitle, minimumRoundDurationMs, minimumRTP, rtp, maxStake, completesRounds } = context;
  return {
    gameTitle,
    minimumRoundDurationMs,
    minimumRTP,
    rtp,
    maxStake,
    completesRounds,
    session: sessionOf(context),
    grant: grantOf(context),
    ...limitsOf(context),
  };
}

function sessionOf({ sessionCreatedAt: createdAt, sessionExpiresAt, sessionState, sessionCountry }: Context) {
  if (createdAt === null) return undefined;
  return { createdAt, expiresAt: sessionExpiresAt, state: sessionState, country: sessionCountry };
}

function grantOf({ grantID, campaignID, grantState: state, given, used, left, grantCreatedAt: createdAt }: Context) {
  return grantID === null ? undefined : { grantID, campaignID, state, given, used, left, createdAt };
}
