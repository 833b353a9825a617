import { createHash } from 'node:crypto';
import type { PartialJurisdiction } from '@roundhouse/contract';
import type { Database, DatabaseTransaction } from './database.ts';
import type { Prisma } from './generated/client.ts';

export type NewSession = {
  sessionID: string;
  token: string;
  accountId: bigint;
  gameID: string;
  country: string | undefined;
  jurisdiction: PartialJurisdiction;
  timeoutMs: number;
};

export async function addSession(db: Database, session: NewSession): Promise<void> {
  await db.session.create({
    data: {
      sessionSha256: sha256(session.sessionID),
      tokenSha256: sha256(session.token),
      accountId: session.accountId,
      gameId: session.gameID,
      country: session.country ?? null,
      jurisdiction: session.jurisdiction as Prisma.InputJsonObject,
      expiresAt: new Date(Date.now() + session.timeoutMs),
    },
  });
}

export async function removeSession(db: Database, sessionID: string): Promise<void> {
  await db.session.deleteMany({ where: { sessionSha256: sha256(sessionID) } });
}

/** A session that has not timed out. */
export type LiveSession = {
  accountId: bigint;
  playerID: string;
  currency: string;
  gameID: string;
  /** Where the player is, or else lives, when that is known. */
  country: string | undefined;
  jurisdiction: PartialJurisdiction;
  loginHasExpired: boolean;
  /** Whether this is the token of the launch. */
  isTokenOf(token: string): boolean;
};

type SessionRow = Omit<LiveSession, 'country' | 'isTokenOf'> & { country: string | null; tokenSha256: Uint8Array };

/** Undefined: the session is unknown or has timed out. */
export async function findLiveSession(
  sql: Pick<Database, '$queryRaw'>,
  sessionID: string,
): Promise<LiveSession | undefined> {
  const [row] = await sql.$queryRaw<SessionRow[]>`
    SELECT s.account_id AS "accountId", p.external_id AS "playerID", a.currency, s.game_id AS "gameID",
      coalesce(s.country, p.country) AS country, s.jurisdiction,
      coalesce(p.login_expires_at <= now(), false) AS "loginHasExpired", s.token_sha256 AS "tokenSha256"
    FROM sessions s
    JOIN accounts a ON a.id = s.account_id
    JOIN players p ON p.id = a.player_id
    WHERE s.session_sha256 = ${sha256(sessionID)} AND s.expires_at > now()`;
  if (row === undefined) return undefined;
  const { tokenSha256, country, ...session } = row;
  return { ...session, country: country ?? undefined, isTokenOf: (token) => sha256(token).equals(tokenSha256) };
}

/** Starts the session's timeout again. */
export async function keepAlive(
  { sql }: Pick<DatabaseTransaction, 'sql'>,
  sessionID: string,
  timeoutMs: number,
): Promise<void> {
  await sql.$executeRaw`
    UPDATE sessions SET expires_at = now() + ${timeoutMs} * interval '1 millisecond'
    WHERE session_sha256 = ${sha256(sessionID)}`;
}

function sha256(text: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(text).digest() as Buffer<ArrayBuffer>;
}
