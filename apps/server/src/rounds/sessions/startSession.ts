import {
  type Draws,
  isPlainText,
  type Jurisdiction,
  type JurisdictionRules,
  type Micros,
  mergeJurisdictionRules,
  mergeJurisdictions,
  type PartialJurisdiction,
  type PlayerLimits,
} from '@roundhouse/contract';
import type { Asked } from '@roundhouse/fleet';
import { setBalance } from '../../ledger/setBalance.ts';
import type { Database } from '../../store/database/database.ts';
import { findOperatorID } from '../../store/operators/operators.ts';
import { isCurrencyOffered, type ModeReturns } from '../../store/rounds/games.ts';
import {
  endIfRevoked,
  findOffered,
  isSessionTaken,
  type SessionOffer,
  storeSession,
} from '../../store/rounds/newSession.ts';
import { openAccount, openHouseAccounts, updatePlayer } from '../../store/rounds/players.ts';
import type { SessionFacts } from '../../store/rounds/sessions.ts';
import { type Elsewhere, openPlayer } from './admission.ts';
import { findLowReturn } from './minimumReturn.ts';

export type NewSession = Pick<SessionFacts, 'currency' | 'gameID' | 'gameVersion'> & {
  tokenSha256: Uint8Array<ArrayBuffer>;
  operatorCode: string;
  /** The operator knows the player by this name. The same name is the same player again. */
  playerExternalID: string;
  /** These cells of the fleet have refused the launch before. */
  asked?: readonly Asked[] | undefined;
  /** The country is ISO 3166-1 alpha-2, in upper case. */
  country: string | undefined;
  /** It overrides the defaults of the game and the operator. */
  jurisdiction: PartialJurisdiction;
  /** How its rounds are drawn; undefined: as the operator says, else as the game says. */
  draws?: Draws | undefined;
  /** The first balance of a player who is new in this currency. */
  openingBalance: Micros;
  /** Sets the balance of a player, new or not. */
  setBalanceTo: Micros | undefined;
};

/**
 * session_taken: there is a session, or a launch, of this sessionID already. player_name: the name
 * of the player is not a plain text. rtp_too_low: a mode of the game returns less than the
 * jurisdiction demands.
 */
export type StartSessionRefusal =
  | 'unknown_operator'
  | 'player_name'
  | 'unknown_game'
  | 'currency_not_offered'
  | 'rtp_too_low'
  | 'session_taken';

type RefusedSession<Refusal> = { ok: false; refusal: Refusal; detail?: string };
export type StartSessionOutcome = { ok: true } | RefusedSession<StartSessionRefusal> | Elsewhere;

/** Issues a session of the house wallet, and creates the player and the accounts that it needs. */
export async function startSession(db: Database, session: NewSession): Promise<StartSessionOutcome> {
  const { tokenSha256, currency, country, jurisdiction, openingBalance, setBalanceTo } = session;
  const operatorID = await findOperatorID(db, session.operatorCode);
  if (operatorID === undefined) return { ok: false, refusal: 'unknown_operator' };
  if (!isPlainText(session.playerExternalID)) return { ok: false, refusal: 'player_name' };
  const offer = await findOffer(db, { ...session, operatorID, jurisdictions: [jurisdiction] });
  if (!offer.ok) return offer;
  if (await isSessionTaken(db, tokenSha256)) return { ok: false, refusal: 'session_taken' };

  const { playerExternalID: externalID, operatorCode, asked } = session;
  const player = await openPlayer(db, { operatorID, operatorCode, externalID, asked });
  if (!player.ok) return player;
  const playerId = player.playerID;
  await openHouseAccounts(db, operatorID, currency);
  const { accountId, isNew } = await openAccount(db, { operatorId: operatorID, playerId, currency, balance: 0n });
  const balance = setBalanceTo ?? (isNew ? openingBalance : undefined);
  if (balance !== undefined) await setBalance(db, accountId, balance);
  const isStored = await storeSession(db, {
    ids: { tokenSha256, playerId, accountId },
    offer,
    country,
    draws: session.draws,
    maxStake: undefined,
  });
  return isStored ? { ok: true } : { ok: false, refusal: 'session_taken' };
}

/** A session that its operator has verified. */
export type VerifiedSession = Pick<
  SessionFacts,
  'operatorID' | 'externalID' | 'currency' | 'gameID' | 'gameVersion' | 'walletToken' | 'walletUnit'
> & {
  tokenSha256: Uint8Array<ArrayBuffer>;
  /** The country of the launch holds for this session. */
  launchCountry: string | undefined;
  /** The player has this country, as the operator says now. */
  country: string | undefined;
  limits: PlayerLimits | undefined;
  /** One play may cost at most this, as the operator says now. */
  maxStake: number | undefined;
  /** They override the defaults of the game and the operator; later ones win. */
  jurisdictions: readonly PartialJurisdiction[];
  /** The launch says how its rounds are drawn, or leaves it to the operator and the game. */
  draws?: Draws | undefined;
};

/**
 * unknown_game: the version is not published. currency_not_offered: the game or the operator does
 * not offer it.
 */
type OfferRefusal = 'unknown_game' | 'currency_not_offered' | 'rtp_too_low';

/**
 * Stores the session, and creates the player and the account that it needs. The account has no
 * balance: the operator keeps it.
 */
export async function startSeamlessSession(
  db: Database,
  session: VerifiedSession,
): Promise<{ ok: true } | RefusedSession<OfferRefusal> | Elsewhere> {
  const { tokenSha256, currency, launchCountry, maxStake } = session;
  const offer = await findOffer(db, session);
  if (!offer.ok) return offer;

  const { operatorID, externalID } = session;
  const player = await openPlayer(db, { operatorID, operatorCode: offer.operator.code, externalID });
  if (!player.ok) return player;
  const playerId = player.playerID;
  const { accountId } = await openAccount(db, { operatorId: session.operatorID, playerId, currency, balance: null });
  await updatePlayer(db, { playerID: playerId, currency }, session);
  // When a session sends two first requests at once, the second one finds it stored.
  await storeSession(db, {
    ids: { tokenSha256, playerId, accountId },
    offer,
    country: launchCountry?.toUpperCase(),
    draws: session.draws,
    maxStake,
    walletToken: session.walletToken,
    walletUnit: session.walletUnit,
  });
  await endIfRevoked(db, tokenSha256);
  return { ok: true };
}

type Wanted = Pick<VerifiedSession, 'operatorID' | 'gameID' | 'gameVersion' | 'currency' | 'jurisdictions'>;

/** Merges the jurisdiction: the game's defaults, then the operator's, then those of the session. */
export async function findOffer(
  db: Database,
  { operatorID, gameID, gameVersion, currency, jurisdictions }: Wanted,
): Promise<({ ok: true } & SessionOffer) | RefusedSession<OfferRefusal>> {
  const { operator, version } = await findOffered(db, { operatorID, gameID, gameVersion });
  if (version === undefined) return { ok: false, refusal: 'unknown_game' };
  if (!isCurrencyOffered(currency, { game: version, operator })) return { ok: false, refusal: 'currency_not_offered' };
  const layers = [version.jurisdiction as PartialJurisdiction, operator.jurisdiction as PartialJurisdiction];
  const jurisdiction = mergeJurisdictions(...layers, ...jurisdictions);
  const rules = mergeJurisdictionRules(currency, ...layers, ...jurisdictions);
  const detail = rtpIssue(version.modeReturns as ModeReturns, jurisdiction, rules);
  if (detail !== undefined) return { ok: false, refusal: 'rtp_too_low', detail };
  return { ok: true, operator, version, jurisdiction, rules };
}

/** Finds the first mode that can be played and returns too little. */
function rtpIssue(
  returns: ModeReturns,
  { disabledBuyFeature }: Jurisdiction,
  { minimumRTP }: JurisdictionRules,
): string | undefined {
  const low = findLowReturn(returns, { disabledBuyFeature, minimumRTP });
  if (low === undefined) return undefined;
  const { mode, rtp } = low;
  return `mode ${mode} returns ${Number((rtp * 100).toPrecision(10))} %, and the jurisdiction demands ${minimumRTP} %`;
}
