import {
  buildLaunchUrl,
  type CurrencyCode,
  type Device,
  type Draws,
  type Language,
  type LaunchParams,
  type LaunchSettings,
  lowestStake,
  type PartialJurisdiction,
  toMicros,
} from '@roundhouse/contract';
import type { Asked } from '@roundhouse/fleet';
import { inSpan, type TraceSpan } from '@roundhouse/service';
import type { Database } from '../../store/database/database.ts';
import type { CallingOperator } from '../../store/operators/operatorSecrets.ts';
import { isCurrencyOffered } from '../../store/rounds/games.ts';
import { addLaunch } from '../../store/rounds/sessions.ts';
import type { GameVersion } from '../games/catalogue.ts';
import { type Elsewhere, findElsewhere, findElsewhereOfLaunch, openPlayer } from './admission.ts';
import { newSessionID, operatorPrefixOf, sealToken, sha256Of } from './sessionToken.ts';
import {
  findOffer,
  type NewSession,
  type StartSessionOutcome,
  type StartSessionRefusal,
  startSession,
} from './startSession.ts';

export type LaunchRequest = {
  operator: CallingOperator;
  game: GameVersion;
  /** The operator may choose it; created when left out. */
  sessionID: string | undefined;
  /** The operator gave this token to the launch. */
  token: string;
  /** When left out, the operator's wallet says who the player is. */
  playerID: string | undefined;
  /** The cells of the fleet that have refused the launch before. */
  asked?: readonly Asked[] | undefined;
  currency: CurrencyCode;
  country: string | undefined;
  jurisdiction: PartialJurisdiction;
  /** The highest cost of one play, in micros of the currency. */
  maxStake: number | undefined;
  /** How its rounds are drawn; when undefined, the operator decides, else the game. */
  draws?: Draws | undefined;
  /**
   * The interval of reality checks that the player's browser requests, in milliseconds. It may
   * shorten the interval that everybody else demands, but not lengthen it. Only operators with a
   * wallet have it.
   */
  browserRealityCheckMs?: number | undefined;
  launch: LaunchPlace & Omit<LaunchSettings, 'currency'>;
  /** The span of the request, when it is traced. */
  trace?: TraceSpan | undefined;
};

/** frontendUrl is the page to launch, when it is not at the game's path on the host. */
export type LaunchPlace = { gameHost: string; frontendUrl?: string | undefined };

/**
 * foreign_prefix: the text before the first colon of the sessionID is not the operator's own code.
 */
export type LaunchRefusal = StartSessionRefusal | 'operator_disabled' | 'foreign_prefix';

/** detail explains the refusal to the operator, where its text is not enough. */
export type LaunchOutcome =
  | { ok: true; sessionID: string; url: string }
  | { ok: false; refusal: LaunchRefusal; detail?: string }
  | Elsewhere;

/**
 * Says whether another cell of the fleet serves the launch. It changes nothing, and comes before
 * all other checks of a launch: during an upgrade, cells may have different games.
 */
export async function findLaunchElsewhere(
  db: Database,
  { operator, token, playerID, asked }: Pick<LaunchRequest, 'operator' | 'token' | 'playerID' | 'asked'>,
): Promise<Elsewhere | undefined> {
  const { operatorID, code: operatorCode } = operator;
  // With the house wallet the token names the player, if nothing else does.
  const externalID = playerID ?? (operator.isSeamless ? undefined : token);
  if (externalID === undefined) return findElsewhereOfLaunch(db, operatorCode);
  return findElsewhere(db, { operatorID, operatorCode, externalID, asked });
}

/** Creates the session of an operator's launch, and the URL that opens its game. */
export function launchSession(db: Database, request: LaunchRequest): Promise<LaunchOutcome> {
  const { operator, game, trace } = request;
  const span = trace?.child('launch session', {
    attributes: {
      'roundhouse.operator': operator.code,
      'roundhouse.game': game.gameID,
      'roundhouse.game_version': game.version,
    },
  });
  return inSpan(span, async () => {
    const launched = await launch(db, request);
    if (!launched.ok) span?.set({ 'roundhouse.refusal': launched.refusal });
    return launched;
  });
}

async function launch(db: Database, request: LaunchRequest): Promise<LaunchOutcome> {
  const { operator, game, currency } = request;
  if (operator.isDisabled) return { ok: false, refusal: 'operator_disabled' };
  if (!isCurrencyOffered(currency, request)) return { ok: false, refusal: 'currency_not_offered' };
  // A prefix that names no operator today may name one tomorrow, so any prefix but the operator's
  // code is refused.
  const prefix = request.sessionID === undefined ? undefined : operatorPrefixOf(request.sessionID);
  if (prefix !== undefined && prefix !== operator.code) return { ok: false, refusal: 'foreign_prefix' };
  // A node that does not know the session finds its operator by this prefix.
  const cell = await db.fleet.cell();
  const sessionID = request.sessionID ?? `${operator.code}:${newSessionID(cell?.cellID)}`;
  // It throws for values that a URL cannot carry, so it must come before anything is stored.
  const names = { gameID: game.gameID, gameVersion: game.version };
  const url = launchUrlOf({ ...request.launch, ...names, sessionID, currency });
  const stored = await (operator.isSeamless ? storeLaunch : storeSession)(db, withStake(request), sessionID);
  return stored.ok ? { ok: true, sessionID, url } : stored;
}

/** Returns the launch URL, or the page that another server has, with the same parameters. */
export function launchUrlOf({ frontendUrl, ...params }: LaunchParams & Omit<LaunchPlace, 'gameHost'>): string {
  const url = buildLaunchUrl(params);
  if (frontendUrl === undefined) return url;
  const page = new URL(frontendUrl);
  for (const [name, value] of new URL(url).searchParams) page.searchParams.set(name, value);
  return page.href;
}

/** Adds the stake of the launch to those of the jurisdiction; the lowest one counts. */
function withStake(request: LaunchRequest): LaunchRequest {
  const { currency, jurisdiction } = request;
  const maxStake = lowestStake(request.maxStake, jurisdiction.maxStake?.[currency]);
  if (maxStake === undefined) return request;
  return { ...request, jurisdiction: { ...jurisdiction, maxStake: { [currency]: maxStake } } };
}

type Store = (db: Database, request: LaunchRequest, sessionID: string) => Promise<StartSessionOutcome>;

/**
 * Stores the launch only: the operator's wallet says who the player is when the game authenticates.
 */
const storeLaunch: Store = async (db, request, sessionID) => {
  const { operator, game, token, playerID, currency, country, draws, browserRealityCheckMs } = request;
  const names = { gameID: game.gameID, gameVersion: game.version };
  const jurisdictions = [request.jurisdiction];
  const offer = await findOffer(db, { ...names, operatorID: operator.operatorID, currency, jurisdictions });
  if (!offer.ok) return offer;
  const demandedMs = offer.jurisdiction.realityCheckInterval;
  const isShorter = browserRealityCheckMs && (demandedMs === 0 || browserRealityCheckMs < demandedMs);
  const jurisdiction = { ...request.jurisdiction, ...(isShorter && { realityCheckInterval: browserRealityCheckMs }) };
  const elsewhere = await admit(db, request);
  if (elsewhere !== undefined) return elsewhere;
  const added = await addLaunch(db, {
    tokenSha256: sha256Of(sessionID),
    operatorID: operator.operatorID,
    ...names,
    currency,
    externalID: playerID,
    country: country?.toUpperCase(),
    jurisdiction,
    draws,
    sealedToken: sealToken(token, sessionID),
    expiresAt: new Date(Date.now() + operator.sessionLifetimeMs),
  });
  return added ? { ok: true } : { ok: false, refusal: 'session_taken' };
};

/**
 * In a fleet a launch creates the player whom it names, so that no other cell creates the player
 * before the session authenticates (decision 032).
 */
async function admit(
  db: Database,
  { operator: { operatorID, code: operatorCode }, playerID, asked }: LaunchRequest,
): Promise<Elsewhere | undefined> {
  if (playerID === undefined || (await db.fleet.cell()) === undefined) return undefined;
  const player = await openPlayer(db, { operatorID, operatorCode, externalID: playerID, asked });
  return player.ok ? undefined : player;
}

/** Stores the session at once: with the house wallet the launch names the player. */
const storeSession: Store = async (db, request, sessionID) => {
  const { operator, game, token, playerID, currency, country, jurisdiction, draws } = request;
  return startSession(db, {
    tokenSha256: sha256Of(sessionID),
    operatorCode: operator.code,
    playerExternalID: playerID ?? token,
    asked: request.asked,
    currency,
    gameID: game.gameID,
    gameVersion: game.version,
    country: country?.toUpperCase(),
    jurisdiction,
    draws,
    openingBalance: toMicros(0),
    setBalanceTo: undefined,
  });
};

/** The operator whose players' money is in our database. */
export const HOUSE_OPERATOR = 'house';

export type SessionRequest = Omit<NewSession, 'tokenSha256' | 'asked'> & {
  social: boolean;
  launch: LaunchPlace & { rgsUrl: string; language: Language; device: Device };
};

export type IssueOutcome = { ok: true; sessionID: string; url: string } | Exclude<StartSessionOutcome, { ok: true }>;

/**
 * Issues a session of the house wallet and builds its launch URL, as an operator does at launch.
 */
export async function issueSession(db: Database, request: SessionRequest): Promise<IssueOutcome> {
  const sessionID = newSessionID((await db.fleet.cell())?.cellID);
  const jurisdiction = { ...(request.social && { socialCasino: true }), ...request.jurisdiction };
  const started = await startSession(db, {
    ...request,
    country: request.country?.toUpperCase(),
    jurisdiction,
    tokenSha256: sha256Of(sessionID),
  });
  if (!started.ok) return started;
  const { gameID, gameVersion, currency, social } = request;
  return {
    ok: true,
    sessionID,
    url: launchUrlOf({ ...request.launch, gameID, gameVersion, sessionID, currency, ...(social && { social }) }),
  };
}
