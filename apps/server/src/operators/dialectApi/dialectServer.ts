import {
  buildLaunchUrl,
  type FreeRoundTerms,
  LANGUAGES,
  type Language,
  type LaunchSettings,
  launchPages,
  type Micros,
  type OperatorGrant,
  toDevice,
  toLaunchLanguage,
} from '@roundhouse/contract';
import type {
  DialectDemo,
  DialectGame,
  DialectGrant,
  DialectGrantResult,
  DialectLaunch,
  DialectServer,
  DialectTraits,
  LaunchRefusalReason,
  LaunchResult,
  OperatorConnection,
  RoundPage,
} from '@roundhouse/dialects';
import type { Asked } from '@roundhouse/fleet';
import type { TraceSpan } from '@roundhouse/service';
import type { Logger } from 'pino';
import type { Address } from '../../base/address.ts';
import { cancelGrant, giveGrants, listGrants, readGrant } from '../../rounds/freeRounds/grants.ts';
import { availableGames } from '../../rounds/games/availableGames.ts';
import {
  type Catalogue,
  type GameMode,
  type GameVersion,
  isKnownCurrency,
  modeKey,
  unknownCurrency,
} from '../../rounds/games/catalogue.ts';
import { betsOfUnit, fitsUnit, levelsOffUnit } from '../../rounds/games/fitsUnit.ts';
import { replayUrl } from '../../rounds/play/roundOnWire.ts';
import type { AddressLimit } from '../../rounds/sessions/addressLimit.ts';
import { type Elsewhere, findElsewhere, findNextCell, isElsewhere } from '../../rounds/sessions/admission.ts';
import {
  findLaunchElsewhere,
  type LaunchRefusal,
  launchSession,
  launchUrlOf,
} from '../../rounds/sessions/launchSession.ts';
import type { SessionDirectory } from '../../rounds/sessions/sessionDirectory.ts';
import { sessionIDOf, sha256Of } from '../../rounds/sessions/sessionToken.ts';
import type { WalletClient } from '../../rounds/wallets/seamless/walletClient.ts';
import type { Database } from '../../store/database/database.ts';
import { type CallingOperator, firstSeen, takeNonce, takeTurn } from '../../store/operators/operatorSecrets.ts';
import type { WalletOperator } from '../../store/operators/operators.ts';
import { findRoundDetail } from '../../store/operators/roundDetail.ts';
import { isCurrencyOffered } from '../../store/rounds/games.ts';
import { findLaunchedVersion } from '../../store/rounds/sessions.ts';
import { findWalletTransactions } from '../../store/rounds/walletTransactions.ts';

export type DialectServerDeps = {
  db: Database;
  catalogue: Catalogue;
  sessions: Pick<SessionDirectory, 'issued'>;
  log: Logger;
  /** The address at which browsers reach this server. */
  address(): Address;
  /** True when games can be played for fun. */
  hasDemo: boolean;
  walletClient: Pick<WalletClient, 'send'>;
  verificationLimit: AddressLimit;
  /** The span of the request, when it is traced. */
  trace: TraceSpan | undefined;
  /** The cells of the fleet that have refused the request before. */
  asked: readonly Asked[];
  /**
   * Names another cell that serves the request: the response has it in a header, whatever the
   * dialect says. undefined: this cell serves it after all. The last call counts.
   */
  misdirected(elsewhere: Elsewhere | undefined): void;
};

/** The operator that sends the request, and the amounts that its wallet moves. */
type Owner = { operator: CallingOperator; wallet: WalletOperator; address: string | undefined } & Pick<
  OperatorConnection,
  'unitOf' | 'leavesOutBets'
> &
  Pick<DialectTraits, 'freeRounds'>;

const MAX_GRANTS = 1000;
const ALL_LANGUAGES = Object.keys(LANGUAGES) as Language[];

/** Returns the requests that a dialect may make on behalf of one operator. */
export function createDialectServer(deps: DialectServerDeps, owner: Owner): DialectServer {
  return {
    identify: (launch) => identify(deps, owner, launch),
    launch: (launch) => launchGame(deps, owner, launch),
    admitStranger: () => deps.verificationLimit.admit(owner.address),
    launchDemo: (launch) => launchDemo(deps, owner, launch),
    games: () => listGames(deps, owner),
    roundPage: (round) => roundPage(deps, owner, round),
    giveFreeRounds: (grant) => giveFreeRounds(deps, owner, grant),
    cancelFreeRounds: (grantID) => cancelFreeRounds(deps, owner, grantID),
    freeRounds: (wanted) => freeRounds(deps, owner, wanted),
    takeNonce: (nonce) => takeNonce(deps.db, { operatorID: owner.operator.operatorID, nonce }),
    takeTurn: (name, everyMs) => takeTurn(deps.db, { operatorID: owner.operator.operatorID, name, everyMs }),
  };
}

function actorOf({ operator: { code } }: Owner): string {
  return `operator:${code}`;
}

async function identify(
  { walletClient, verificationLimit, trace }: DialectServerDeps,
  { wallet, address }: Owner,
  { gameID, token }: Parameters<DialectServer['identify']>[0],
): ReturnType<DialectServer['identify']> {
  if (wallet.isDisabled) return { kind: 'not_sent', detail: 'the operator is disabled' };
  await verificationLimit.admit(address);
  const context = { token, sessionKind: 'unknown', trace } as const;
  return walletClient.send(wallet, 'authenticate', { sessionID: '', gameID }, context);
}

async function launchGame(deps: DialectServerDeps, owner: Owner, launch: DialectLaunch): Promise<LaunchResult> {
  const { operator, unitOf, leavesOutBets } = owner;
  const { asked } = deps;
  const elsewhere = await findLaunchElsewhere(deps.db, { ...launch, operator, asked });
  if (elsewhere !== undefined) return refusedHere(deps, elsewhere);
  const game = (await availableGames(deps.db, deps.catalogue)).find(({ gameID }) => gameID === launch.gameID);
  if (game === undefined) return refused('game', `there is no game ${launch.gameID} here`);
  const { currency } = launch;
  if (!isKnownCurrency(deps.catalogue, currency)) return refused('currency', unknownCurrency(currency));
  const issue = currencyIssue(game, { currency, unit: unitOf(currency), leavesOutBets });
  if (issue !== undefined) {
    deps.log.warn({ operator: operator.code, gameID: game.gameID, issue: issue.detail }, 'a launch is refused');
    return issue;
  }
  const place = placeOf(deps, owner, launch);
  try {
    const sessionID = await sessionIDOfRequest(deps.db, operator, launch.requestKey);
    const launched = await launchSession(deps.db, {
      operator,
      game,
      sessionID,
      token: launch.token,
      playerID: launch.playerID,
      asked,
      currency: launch.currency,
      country: launch.country,
      jurisdiction: launch.jurisdiction ?? {},
      maxStake: launch.maxStake,
      browserRealityCheckMs: launch.browserRealityCheckMs,
      launch: place,
      trace: deps.trace,
    });
    if (!launched.ok && isElsewhere(launched)) return refusedHere(deps, launched);
    if (!launched.ok && launched.refusal === 'session_taken' && sessionID !== undefined) {
      // The same request has launched it before.
      const { gameID, version } = game;
      const gameVersion = (await findLaunchedVersion(deps.db, sha256Of(sessionID))) ?? version;
      deps.misdirected(undefined);
      const url = launchUrlOf({ ...place, gameID, gameVersion, sessionID, currency });
      return { ok: true, sessionID, url, isFair: isFair(game, owner) };
    }
    if (!launched.ok) return refused(REASONS[launched.refusal], launched.detail ?? launched.refusal);
    deps.sessions.issued(launched.sessionID);
    deps.misdirected(undefined);
    return { ...launched, isFair: isFair(game, owner) };
  } catch (error) {
    // A page in the launch request is not a URL.
    if (error instanceof RangeError) return refused('invalid', error.message);
    throw error;
  }
}

/** All nodes give a request with the same key the same sessionID for a quarter of an hour. */
async function sessionIDOfRequest(
  db: Database,
  { operatorID, code, secrets: [secret] }: CallingOperator,
  requestKey: string | undefined,
): Promise<string | undefined> {
  if (requestKey === undefined) return undefined;
  if (secret === undefined) throw new Error(`operator ${code} has no secret`);
  const at = await firstSeen(db, { operatorID, key: requestKey });
  const cellID = (await db.fleet.cell())?.cellID;
  return `${code}:${sessionIDOf(requestKey, { secret, at, cellID })}`;
}

const REASONS: Readonly<Record<LaunchRefusal, LaunchRefusalReason>> = {
  unknown_operator: 'disabled',
  unknown_game: 'game',
  currency_not_offered: 'currency',
  player_name: 'invalid',
  rtp_too_low: 'game',
  session_taken: 'invalid',
  operator_disabled: 'disabled',
  foreign_prefix: 'invalid',
};

function refusedHere({ misdirected }: DialectServerDeps, elsewhere: Elsewhere) {
  misdirected(elsewhere);
  return refused(elsewhere.refusal === 'no_cell' ? 'disabled' : 'invalid', elsewhere.detail);
}

function refused(reason: LaunchRefusalReason, detail: string): LaunchResult & { ok: false } {
  return { ok: false, reason, detail };
}

type Moved = { currency: string; unit: number | undefined; leavesOutBets: boolean };

/**
 * The wallet must be able to move all that a bet level can cost and pay, or with leavesOutBets at
 * least that of one level (decision 027).
 */
function currencyIssue(game: GameVersion, { currency, unit, leavesOutBets }: Moved) {
  if (unit === undefined) return refused('currency', `the wallet has no currency ${currency}`);
  const settings = game.betSettings(currency);
  if (settings === undefined) return refused('currency', `game ${game.gameID} is not offered in ${currency}`);
  const [off] = unit === 1 ? [] : levelsOffUnit(game, settings, unit);
  if (off === undefined) return undefined;
  // When no level fits, betsOfUnit returns all of them.
  if (leavesOutBets && betsOfUnit(game, settings, unit) !== settings) return undefined;
  const levels = off.levels.join(', ');
  return refused(
    'amounts',
    `the wallet moves multiples of ${unit} micros in ${currency}; of game ${game.gameID}, mode ${off.mode}, these bets do not fit: ${levels}`,
  );
}

function placeOf({ address }: DialectServerDeps, { operator }: Owner, { language, device, ...rest }: DialectDemo) {
  const { url, rgsUrl, frontendUrl } = address();
  const settings: Omit<LaunchSettings, 'currency'> = {
    rgsUrl,
    language: toLaunchLanguage(language ?? '', operator.languages),
    device: toDevice(device ?? 'desktop'),
    ...(rest.jurisdiction?.socialCasino && { social: true }),
    ...launchPages((name) => rest[name]),
  };
  return { gameHost: url, frontendUrl, ...settings };
}

function isFair({ draws }: GameVersion, { operator }: Owner): boolean {
  return (operator.draws ?? draws) === 'provablyFair';
}

async function launchDemo(deps: DialectServerDeps, owner: Owner, launch: DialectDemo): Promise<LaunchResult> {
  if (!deps.hasDemo) return refused('disabled', 'fun mode is off on this server');
  const game = (await availableGames(deps.db, deps.catalogue)).find(({ gameID }) => gameID === launch.gameID);
  if (game === undefined) return refused('game', `there is no game ${launch.gameID} here`);
  const { currency } = launch;
  if (!isKnownCurrency(deps.catalogue, currency)) return refused('currency', unknownCurrency(currency));
  if (!game.currencies.includes(currency)) return refused('currency', `the game is not offered in ${currency}`);
  const { frontendUrl: _none, ...place } = placeOf(deps, owner, launch);
  try {
    const names = { gameID: game.gameID, gameVersion: game.version, currency };
    const url = new URL(buildLaunchUrl({ ...place, ...names, sessionID: 'demo', demo: true }));
    url.searchParams.delete('sessionID');
    return { ok: true, sessionID: '', url: url.href, isFair: false };
  } catch (error) {
    if (error instanceof RangeError) return refused('invalid', error.message);
    throw error;
  }
}

async function listGames({ db, catalogue, address }: DialectServerDeps, owner: Owner): Promise<DialectGame[]> {
  const { operator } = owner;
  return (await availableGames(db, catalogue)).map((game) => {
    const currencies = game.currencies.filter((currency) => isCurrencyOffered(currency, { game, operator }));
    return {
      gameID: game.gameID,
      version: game.version,
      title: game.title,
      rtp: baseOf(game).math.statistics().rtp,
      currencies,
      languages: ALL_LANGUAGES.filter((language) => toLaunchLanguage(language, operator.languages) === language),
      modes: [...game.modes.keys()],
      betLevels: Object.fromEntries(currencies.map((each) => [each, game.betSettings(each)?.betLevels ?? []])),
      ...(game.thumbnail !== undefined && {
        thumbnail: `${address().url}/${game.gameID}/${game.version}/${game.thumbnail}`,
      }),
    };
  });
}

/** Returns the mode that costs one bet, by its name. Other games have it first. */
function baseOf({ modes }: GameVersion): GameMode {
  const [first] = modes.values();
  const base = modes.get('BASE') ?? first;
  if (base === undefined) throw new Error('a game has no mode');
  return base;
}

async function roundPage(
  deps: DialectServerDeps,
  owner: Owner,
  wanted: { roundID: bigint } | { transactionID: string },
): Promise<RoundPage | undefined> {
  const page = await findRoundPage(deps, owner, wanted);
  if (page !== undefined) deps.misdirected(undefined);
  else await passOn(deps, owner);
  return page;
}

async function findRoundPage(
  { db, address }: DialectServerDeps,
  { operator: { operatorID } }: Owner,
  wanted: Parameters<DialectServer['roundPage']>[0],
): Promise<RoundPage | undefined> {
  const roundID =
    'roundID' in wanted
      ? wanted.roundID
      : (await findWalletTransactions(db, operatorID, [wanted.transactionID])).get(wanted.transactionID)?.roundID;
  if (roundID === undefined) return undefined;
  const round = await findRoundDetail(db, { operatorID, roundID, events: { after: 0n, limit: 1 } });
  if (round === undefined) return undefined;
  const { externalID: playerID, gameID, currency, debit, payout, state, openedAt } = round;
  const moments = { openedAt, closedAt: round.closedAt ?? undefined };
  return { url: replayUrl(address(), round), roundID, playerID, gameID, currency, debit, payout, state, ...moments };
}

type GrantBet = { mode: string; bet: Micros; currency: string; unit: number | undefined };

/** An unknown mode, and a bet that is not a bet level, are found by the rules of grants. */
function grantIssue({ gameID, modes }: GameVersion, { mode, bet, currency, unit }: GrantBet): string | undefined {
  if (unit === undefined) return `the wallet has no currency ${currency}`;
  const played = modes.get(modeKey(mode));
  if (played === undefined || fitsUnit(played, bet, unit)) return undefined;
  return `the wallet moves multiples of ${unit} micros in ${currency}, and cannot move what ${bet} in game ${gameID} may pay`;
}

async function giveFreeRounds(
  { db, catalogue, asked, misdirected }: DialectServerDeps,
  owner: Owner,
  { grantID, playerID, gameIDs, mode = 'BASE', currency, bet, rounds, startsAt, endsAt }: DialectGrant,
): Promise<DialectGrantResult> {
  const { operator, unitOf, freeRounds } = owner;
  const served = await availableGames(db, catalogue);
  for (const game of served.filter(({ gameID }) => gameIDs.includes(gameID))) {
    const issue = grantIssue(game, { mode, bet, currency, unit: unitOf(currency) });
    if (issue !== undefined) return { ok: false, reason: 'invalid', detail: issue };
  }
  const terms: FreeRoundTerms = {
    gameIDs: [...gameIDs],
    mode,
    bets: { [currency]: bet },
    rounds,
    ...(startsAt && { startsAt: startsAt.toISOString() }),
    endsAt: endsAt.toISOString(),
    automatic: true,
    paidAtEnd: freeRounds === 'at_end',
  };
  const { operatorID, code: operatorCode } = operator;
  const request = { terms, grants: [{ grantID, playerID, currency }] };
  const given = await giveGrants(db, { operatorID, operatorCode, actor: actorOf(owner), served, asked, request });
  // A dialect may have looked for the grant before without finding it.
  misdirected(!given.ok && isElsewhere(given) ? given : undefined);
  if (given.ok) return { ok: true };
  return { ok: false, reason: given.refusal === 'taken' ? 'taken' : 'invalid', detail: given.detail };
}

async function cancelFreeRounds(deps: DialectServerDeps, owner: Owner, grantID: string): Promise<{ ok: boolean }> {
  const { operatorID, code: operatorCode } = owner.operator;
  const { ok } = await cancelGrant(deps.db, { operatorID, operatorCode, grantID, actor: actorOf(owner) });
  if (ok) deps.misdirected(undefined);
  else await passOn(deps, owner);
  return { ok };
}

/**
 * Passes the request on when this cell does not have what it names by an id: another cell may have
 * it.
 */
async function passOn({ db, asked, misdirected }: DialectServerDeps, { operator: { code } }: Owner): Promise<void> {
  const next = await findNextCell(db, { operatorCode: code, asked });
  if (next !== undefined) misdirected(next);
}

async function freeRounds(
  deps: DialectServerDeps,
  owner: Owner,
  { grantID, playerID }: Parameters<DialectServer['freeRounds']>[0],
): Promise<OperatorGrant[]> {
  const { db, asked, misdirected } = deps;
  const { operatorID, code: operatorCode } = owner.operator;
  if (grantID !== undefined) {
    const read = await readGrant(db, { operatorID, operatorCode, grantID });
    if (read.ok) misdirected(undefined);
    else await passOn(deps, owner);
    return read.ok ? [read.grant] : [];
  }
  const named = playerID === undefined ? undefined : { operatorID, operatorCode, externalID: playerID, asked };
  const elsewhere = named && (await findElsewhere(db, named));
  if (elsewhere !== undefined) misdirected(elsewhere);
  return (await listGrants(db, { operatorID, playerID, before: undefined, limit: MAX_GRANTS })).grants;
}
