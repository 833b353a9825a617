import {
  type CurrencyCode,
  type Micros,
  mergeJurisdictions,
  type PartialJurisdiction,
  type PlayerLimits,
} from '@roundhouse/contract';
import type { Database } from '../database.ts';
import { openPlayer, setBalance, updatePlayer } from './players.ts';

export type NewSession = {
  tokenSha256: Uint8Array<ArrayBuffer>;
  operatorCode: string;
  /** The operator's name for the player. The same name is the same player again. */
  playerExternalID: string;
  currency: CurrencyCode;
  gameID: string;
  gameVersion: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string | undefined;
  /** On top of the defaults of the game and the operator. */
  jurisdiction: PartialJurisdiction;
  /** What a player who is new in this currency starts with. */
  openingBalance: Micros;
  /** What the balance is to be from now on, new player or not. */
  setBalanceTo: Micros | undefined;
};

/** session_taken: there is a session, or a launch, of this sessionID already. */
export type StartSessionFault = 'unknown_operator' | 'unknown_game' | 'currency_not_offered' | 'session_taken';

export type StartSessionOutcome = { ok: true } | { ok: false; fault: StartSessionFault };

/**
 * Issues a session of the house wallet, and makes the player and the accounts that it needs when they are new. Its
 * jurisdiction is settled here, once: the game's defaults, then the operator's, then the session's own.
 */
export async function startSession(db: Database, session: NewSession): Promise<StartSessionOutcome> {
  const operator = await db.operator.findUnique({ where: { code: session.operatorCode } });
  if (operator === null) return { ok: false, fault: 'unknown_operator' };
  const gameVersion = await db.gameVersion.findFirst({
    where: { version: session.gameVersion, game: { code: session.gameID } },
  });
  if (gameVersion === null) return { ok: false, fault: 'unknown_game' };
  if (!gameVersion.currencies.includes(session.currency)) return { ok: false, fault: 'currency_not_offered' };
  if (await isTaken(db, session.tokenSha256)) return { ok: false, fault: 'session_taken' };

  await openHouseAccounts(db, operator.id, session.currency);
  const playerId = await openPlayer(db, operator.id, session.playerExternalID);
  const { accountId, isNew } = await openPlayerAccount(db, {
    operatorId: operator.id,
    playerId,
    currency: session.currency,
  });
  const balance = session.setBalanceTo ?? (isNew ? session.openingBalance : undefined);
  if (balance !== undefined) await setBalance(db, accountId, balance);
  const { count } = await db.session.createMany({
    data: {
      tokenSha256: session.tokenSha256,
      playerId,
      accountId,
      gameVersionId: gameVersion.id,
      country: session.country ?? null,
      jurisdiction: mergeJurisdictions(
        gameVersion.jurisdiction as PartialJurisdiction,
        operator.jurisdiction as PartialJurisdiction,
        session.jurisdiction,
      ),
      expiresAt: new Date(Date.now() + operator.sessionLifetimeMs),
    },
    skipDuplicates: true,
  });
  return count === 1 ? { ok: true } : { ok: false, fault: 'session_taken' };
}

async function isTaken(db: Database, tokenSha256: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const [session, launch] = await Promise.all([
    db.session.findUnique({ where: { tokenSha256 }, select: { id: true } }),
    db.launch.findUnique({ where: { tokenSha256 }, select: { operatorId: true } }),
  ]);
  return session !== null || launch !== null;
}

/** The two accounts at the other end of every transfer: the house (bets, payouts) and the cashier (deposits, withdrawals). */
async function openHouseAccounts(db: Database, operatorId: number, currency: CurrencyCode): Promise<void> {
  await db.$executeRaw`
    INSERT INTO accounts (operator_id, kind, currency)
    VALUES (${operatorId}, 'house', ${currency}), (${operatorId}, 'cashier', ${currency}) ON CONFLICT DO NOTHING`;
}

async function openPlayerAccount(
  db: Database,
  { operatorId, playerId, currency }: { operatorId: number; playerId: bigint; currency: CurrencyCode },
): Promise<{ accountId: bigint; isNew: boolean }> {
  const made = await db.$executeRaw`
    INSERT INTO accounts (operator_id, kind, player_id, currency, balance_micros)
    VALUES (${operatorId}, 'player', ${playerId}, ${currency}, 0) ON CONFLICT DO NOTHING`;
  const account = await db.account.findUniqueOrThrow({
    where: { playerId_currency: { playerId, currency } },
    select: { id: true },
  });
  return { accountId: account.id, isNew: made === 1 };
}

/** A session that its operator has verified. */
export type VouchedSession = {
  tokenSha256: Uint8Array<ArrayBuffer>;
  operatorID: number;
  /** The operator's name for the player. */
  externalID: string;
  currency: CurrencyCode;
  gameID: string;
  gameVersion: string;
  /** Of the launch: it holds for this session. */
  launchCountry: string | undefined;
  /** Of the player, as the operator says now. */
  country: string | undefined;
  limits: PlayerLimits | undefined;
  /** On top of the defaults of the game and the operator, the later ones first to count. */
  jurisdictions: readonly PartialJurisdiction[];
};

/** unknown_game: the version is not published. currency_not_offered: the game or the operator does not have it. */
export type VouchedSessionFault = 'unknown_game' | 'currency_not_offered';

/** Makes the session, and the player and the account that it needs when they are new. The account keeps no balance: the operator does. */
export async function startSeamlessSession(
  db: Database,
  session: VouchedSession,
): Promise<{ ok: true } | { ok: false; fault: VouchedSessionFault }> {
  const operator = await db.operator.findUniqueOrThrow({ where: { id: session.operatorID } });
  const version = await db.gameVersion.findFirst({
    where: { version: session.gameVersion, game: { code: session.gameID } },
  });
  if (version === null) return { ok: false, fault: 'unknown_game' };
  const isOffered = [version.currencies, operator.currencies].every(
    (currencies) => currencies.length === 0 || currencies.includes(session.currency),
  );
  if (!isOffered) return { ok: false, fault: 'currency_not_offered' };

  const playerID = await openPlayer(db, operator.id, session.externalID);
  const accountId = await openAccount(db, { operatorId: operator.id, playerID, currency: session.currency });
  await updatePlayer(db, { playerID, currency: session.currency }, session);
  // Two first calls of a session at once: the second one finds it made.
  await db.session.createMany({
    data: {
      tokenSha256: session.tokenSha256,
      playerId: playerID,
      accountId,
      gameVersionId: version.id,
      country: session.launchCountry?.toUpperCase() ?? null,
      jurisdiction: mergeJurisdictions(
        version.jurisdiction as PartialJurisdiction,
        operator.jurisdiction as PartialJurisdiction,
        ...session.jurisdictions,
      ),
      expiresAt: new Date(Date.now() + operator.sessionLifetimeMs),
    },
    skipDuplicates: true,
  });
  await endIfRevoked(db, session.tokenSha256);
  return { ok: true };
}

/** The operator may have ended the launch while its wallet was asked. Ending looks at the launch first and at the session then, so one of us sees it. */
async function endIfRevoked(db: Database, tokenSha256: VouchedSession['tokenSha256']): Promise<void> {
  const launch = await db.launch.findUnique({ where: { tokenSha256 }, select: { revoked: true } });
  if (launch?.revoked) await db.session.update({ where: { tokenSha256 }, data: { state: 'revoked' } });
}

type NewAccount = { operatorId: number; playerID: bigint; currency: CurrencyCode };

async function openAccount(db: Database, { operatorId, playerID, currency }: NewAccount): Promise<bigint> {
  await db.$executeRaw`
    INSERT INTO accounts (operator_id, kind, player_id, currency)
    VALUES (${operatorId}, 'player', ${playerID}, ${currency}) ON CONFLICT DO NOTHING`;
  const account = await db.account.findUniqueOrThrow({
    where: { playerId_currency: { playerId: playerID, currency } },
    select: { id: true },
  });
  return account.id;
}
