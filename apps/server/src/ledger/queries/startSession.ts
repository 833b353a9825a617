import { type CurrencyCode, type Micros, mergeJurisdictions, type PartialJurisdiction } from '@roundhouse/contract';
import type { Database } from '../database.ts';
import { openPlayer } from './openPlayer.ts';
import { setBalance } from './setBalance.ts';

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
