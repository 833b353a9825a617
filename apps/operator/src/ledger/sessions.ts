import { createHash } from 'node:crypto';
import type { PartialJurisdiction } from '@roundhouse/contract';
import type { RefusalName } from '../wallet/outcome.ts';
import type { Database } from './database.ts';
import type { Prisma } from './generated/client.ts';
import { sqlFunction } from './sqlFunction.ts';

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

/** Finds the player of a session that has not timed out. */
export async function findPlayerOf({ functions }: Database, sessionID: string): Promise<string | undefined> {
  const { rows } = await functions.query<{ player_id: string }>(
    'SELECT player_id FROM live_sessions WHERE session_sha256 = $1',
    [sha256(sessionID)],
  );
  return rows[0]?.player_id;
}

type AuthenticateSession = {
  sessionSha256: Buffer;
  tokenSha256: Buffer | null;
  gameID: string;
  sessionTimeoutMs: number;
  /** The codes are in upper case, with commas. */
  blockedCountries: string;
};
type Authenticated = {
  refusal: RefusalName | null;
  player_id: string;
  currency: string;
  /** Micros. */
  balance: bigint;
  country: string | null;
  jurisdiction: PartialJurisdiction;
  /** Micros. */
  daily_loss_limit: bigint | null;
};
const authenticateFunction = sqlFunction<AuthenticateSession, Authenticated>('authenticate_session', {
  sessionSha256: 'bytea',
  tokenSha256: 'bytea',
  gameID: 'text',
  sessionTimeoutMs: 'bigint',
  blockedCountries: 'text',
});

export async function authenticateSession(
  { functions }: Database,
  request: AuthenticateSession,
): Promise<Authenticated> {
  const [row] = await authenticateFunction(functions, [request]);
  return row as Authenticated;
}

type ReadBalance = {
  sessionSha256: Buffer;
  playerID: string;
  currency: string;
  gameID: string;
  /** The codes are in upper case, with commas. */
  blockedCountries: string;
};
type BalanceRow = {
  refusal: RefusalName | null;
  /** Micros. */
  balance: bigint;
};
const balanceFunction = sqlFunction<ReadBalance, BalanceRow>('read_balance', {
  sessionSha256: 'bytea',
  playerID: 'text',
  currency: 'text',
  gameID: 'text',
  blockedCountries: 'text',
});

export async function readBalance({ functions }: Database, request: ReadBalance): Promise<BalanceRow> {
  const [row] = await balanceFunction(functions, [request]);
  return row as BalanceRow;
}

export function sha256(text: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(text).digest() as Buffer<ArrayBuffer>;
}
