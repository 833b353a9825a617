import {
  type CurrencyCode,
  type Micros,
  mergeJurisdictions,
  type PartialJurisdiction,
  type PlayerLimits,
} from '@roundhouse/contract';
import type { Database } from '../database.ts';
import type { GameVersion, Operator } from '../generated/client.ts';
import { isCurrencyOffered } from './games.ts';
import { openAccount, openHouseAccounts, openPlayer, setBalance, updatePlayer } from './players.ts';

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
export type StartSessionRefusal = 'unknown_operator' | 'unknown_game' | 'currency_not_offered' | 'session_taken';

export type StartSessionOutcome = { ok: true } | { ok: false; refusal: StartSessionRefusal };

/** Issues a session of the house wallet, and creates the player and the accounts that it needs. */
export async function startSession(db: Database, session: NewSession): Promise<StartSessionOutcome> {
  const { tokenSha256, currency, country, jurisdiction, openingBalance, setBalanceTo } = session;
  const operator = await db.operator.findUnique({ where: { code: session.operatorCode } });
  if (operator === null) return { ok: false, refusal: 'unknown_operator' };
  const offer = await findOffer(db, operator, session);
  if (!offer.ok) return offer;
  if (await isTaken(db, tokenSha256)) return { ok: false, refusal: 'session_taken' };

  await openHouseAccounts(db, operator.id, currency);
  const playerId = await openPlayer(db, operator.id, session.playerExternalID);
  const { accountId, isNew } = await openAccount(db, { operatorId: operator.id, playerId, currency, balance: 0n });
  const balance = setBalanceTo ?? (isNew ? openingBalance : undefined);
  if (balance !== undefined) await setBalance(db, accountId, balance);
  const isStored = await storeSession(db, {
    ids: { tokenSha256, playerId, accountId },
    operator,
    version: offer.version,
    country,
    jurisdictions: [jurisdiction],
  });
  return isStored ? { ok: true } : { ok: false, refusal: 'session_taken' };
}

/** A session that its operator has verified. */
export type VerifiedSession = {
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

/**
 * unknown_game: the version is not published. currency_not_offered: the game or the operator does
 * not offer it.
 */
type OfferRefusal = 'unknown_game' | 'currency_not_offered';

/**
 * Stores the session, and creates the player and the account that it needs. The account has no
 * balance: the operator keeps it.
 */
export async function startSeamlessSession(
  db: Database,
  session: VerifiedSession,
): Promise<{ ok: true } | { ok: false; refusal: OfferRefusal }> {
  const { tokenSha256, currency, launchCountry, jurisdictions } = session;
  const operator = await db.operator.findUniqueOrThrow({ where: { id: session.operatorID } });
  const offer = await findOffer(db, operator, session);
  if (!offer.ok) return offer;

  const playerId = await openPlayer(db, operator.id, session.externalID);
  const { accountId } = await openAccount(db, { operatorId: operator.id, playerId, currency, balance: null });
  await updatePlayer(db, { playerID: playerId, currency }, session);
  // Of two first requests of a session at once the second one finds it stored.
  await storeSession(db, {
    ids: { tokenSha256, playerId, accountId },
    operator,
    version: offer.version,
    country: launchCountry?.toUpperCase(),
    jurisdictions,
  });
  await endIfRevoked(db, tokenSha256);
  return { ok: true };
}

/**
 * The operator may revoke the launch while its wallet verifies the session. A revocation updates
 * the launch first and the session then, so either it or this sees the other.
 */
async function endIfRevoked(db: Database, tokenSha256: VerifiedSession['tokenSha256']): Promise<void> {
  const launch = await db.launch.findUnique({ where: { tokenSha256 }, select: { revoked: true } });
  if (launch?.revoked) await db.session.update({ where: { tokenSha256 }, data: { state: 'revoked' } });
}

type Wanted = { gameID: string; gameVersion: string; currency: CurrencyCode };

async function findOffer(
  db: Database,
  operator: Operator,
  { gameID, gameVersion, currency }: Wanted,
): Promise<{ ok: true; version: GameVersion } | { ok: false; refusal: OfferRefusal }> {
  const version = await db.gameVersion.findFirst({ where: { version: gameVersion, game: { code: gameID } } });
  if (version === null) return { ok: false, refusal: 'unknown_game' };
  if (!isCurrencyOffered(currency, { game: version, operator })) return { ok: false, refusal: 'currency_not_offered' };
  return { ok: true, version };
}

type SessionToStore = {
  ids: { tokenSha256: Uint8Array<ArrayBuffer>; playerId: bigint; accountId: bigint };
  operator: Operator;
  version: GameVersion;
  country: string | undefined;
  jurisdictions: readonly PartialJurisdiction[];
};

/**
 * Settles the jurisdiction, once: the game's defaults, then the operator's, then the session's own.
 * False when the session exists.
 */
async function storeSession(
  db: Database,
  { ids, operator, version, country, jurisdictions }: SessionToStore,
): Promise<boolean> {
  const { count } = await db.session.createMany({
    data: {
      ...ids,
      gameVersionId: version.id,
      country: country ?? null,
      jurisdiction: mergeJurisdictions(
        version.jurisdiction as PartialJurisdiction,
        operator.jurisdiction as PartialJurisdiction,
        ...jurisdictions,
      ),
      expiresAt: new Date(Date.now() + operator.sessionLifetimeMs),
    },
    skipDuplicates: true,
  });
  return count === 1;
}

async function isTaken(db: Database, tokenSha256: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const [session, launch] = await Promise.all([
    db.session.findUnique({ where: { tokenSha256 }, select: { id: true } }),
    db.launch.findUnique({ where: { tokenSha256 }, select: { operatorId: true } }),
  ]);
  return session !== null || launch !== null;
}
