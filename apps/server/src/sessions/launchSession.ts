import {
  buildLaunchUrl,
  type CurrencyCode,
  type LaunchSettings,
  type PartialJurisdiction,
  toMicros,
} from '@roundhouse/contract';
import type { GameVersion } from '../games/catalogue.ts';
import type { Database } from '../ledger/database.ts';
import { isCurrencyOffered } from '../ledger/queries/games.ts';
import type { CallingOperator } from '../ledger/queries/operatorSecrets.ts';
import { addLaunch } from '../ledger/queries/sessions.ts';
import { type StartSessionRefusal, startSession } from '../ledger/queries/startSession.ts';
import { sealToken } from './sealedToken.ts';
import { newSessionID, operatorPrefixOf, sha256Of } from './sessionToken.ts';

export type LaunchRequest = {
  operator: CallingOperator;
  game: GameVersion;
  /** The operator's own; without it one is made. */
  sessionID: string | undefined;
  /** The operator's own for this launch. */
  token: string;
  /** Without it the operator's wallet says who plays. */
  playerID: string | undefined;
  currency: CurrencyCode;
  country: string | undefined;
  jurisdiction: PartialJurisdiction;
  launch: { gameHost: string } & Omit<LaunchSettings, 'currency'>;
};

/** foreign_prefix: what stands before the first colon of the sessionID is not the operator's own code. */
export type LaunchRefusal = StartSessionRefusal | 'operator_disabled' | 'foreign_prefix';

export type LaunchOutcome = { ok: true; sessionID: string; url: string } | { ok: false; refusal: LaunchRefusal };

/** Makes the session that an operator asks for, and the URL that opens its game. */
export async function launchSession(db: Database, request: LaunchRequest): Promise<LaunchOutcome> {
  const { operator, game, currency } = request;
  if (operator.isDisabled) return { ok: false, refusal: 'operator_disabled' };
  if (!isCurrencyOffered(currency, { game, operator })) return { ok: false, refusal: 'currency_not_offered' };
  // A prefix that is no operator's today may be one's tomorrow, so every other one is refused.
  const prefix = request.sessionID === undefined ? undefined : operatorPrefixOf(request.sessionID);
  if (prefix !== undefined && prefix !== operator.code) return { ok: false, refusal: 'foreign_prefix' };
  // The prefix brings a session home to its operator on every node, also one that has never seen it.
  const sessionID = request.sessionID ?? `${operator.code}:${newSessionID()}`;
  const { gameHost, ...settings } = request.launch;
  // Before anything is kept: what has no place in a URL stops here.
  const url = buildLaunchUrl({
    gameHost,
    gameID: game.gameID,
    gameVersion: game.version,
    sessionID,
    ...settings,
    currency,
  });
  const refusal = await (operator.isSeamless ? keepLaunch : keepSession)(db, request, sessionID);
  return refusal === undefined ? { ok: true, sessionID, url } : { ok: false, refusal };
}

type Keep = (db: Database, request: LaunchRequest, sessionID: string) => Promise<StartSessionRefusal | undefined>;

/** The operator's wallet is asked who the player is when the game authenticates: until then there is only the launch. */
const keepLaunch: Keep = async (db, request, sessionID) => {
  const { operator, game, token, playerID, currency, country, jurisdiction } = request;
  const added = await addLaunch(db, {
    tokenSha256: sha256Of(sessionID),
    operatorID: operator.operatorID,
    gameID: game.gameID,
    gameVersion: game.version,
    currency,
    externalID: playerID,
    country: country?.toUpperCase(),
    jurisdiction,
    sealedToken: sealToken(token, sessionID),
    expiresAt: new Date(Date.now() + operator.sessionLifetimeMs),
  });
  return added ? undefined : 'session_taken';
};

/** Where the house keeps the money nobody else knows the player: the launch names them. */
const keepSession: Keep = async (db, request, sessionID) => {
  const { operator, game, token, playerID, currency, country, jurisdiction } = request;
  const started = await startSession(db, {
    tokenSha256: sha256Of(sessionID),
    operatorCode: operator.code,
    playerExternalID: playerID ?? token,
    currency,
    gameID: game.gameID,
    gameVersion: game.version,
    country: country?.toUpperCase(),
    jurisdiction,
    openingBalance: toMicros(0),
    setBalanceTo: undefined,
  });
  return started.ok ? undefined : started.refusal;
};
