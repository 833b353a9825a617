import {
  DEFAULT_TEST_BALANCE,
  isCurrencyCode,
  LAUNCH_PAGES,
  parseHttpUrl,
  toDevice,
  toLanguage,
  toMicros,
} from '@roundhouse/contract';
import { type Request, Router } from 'express';
import { type Address, isLoopback, LAUNCH_PATH, listeningAddress } from '../base/address.ts';
import { noStore } from '../base/http/endpoints.ts';
import { errorResponse, notFoundResponse, sendJson } from '../base/http/responses.ts';
import { type Catalogue, type GameVersion, isKnownCurrency, unknownCurrency } from '../rounds/games/catalogue.ts';
import { isElsewhere } from '../rounds/sessions/admission.ts';
import { issueSession, type LaunchPlace, launchUrlOf } from '../rounds/sessions/launchSession.ts';
import type { SessionDirectory } from '../rounds/sessions/sessionDirectory.ts';
import { sha256Of } from '../rounds/sessions/sessionToken.ts';
import type { StartSessionRefusal } from '../rounds/sessions/startSession.ts';
import type { Database } from '../store/database/database.ts';
import { isSessionOpen, type SessionFacts } from '../store/rounds/sessions.ts';

type LaunchDeps = {
  db: Database;
  catalogue: Catalogue;
  sessions: SessionDirectory;
  /** The test players belong to this operator. */
  operatorCode: string;
  address(): Address;
};

/** All launches without a name share one player, so an open round comes back in the next one. */
export const TEST_PLAYER = 'test-player';

/**
 * Serves GET /launch and /launch/<game>, an address that stays valid. It redirects to the launch
 * URL of a new session on the current version of the game. Its query may have the parameters of a
 * launch URL, and `token` (a test player). A sessionID is kept when its session can go on; else its
 * player gets a new one.
 */
export function launchRouter(deps: LaunchDeps): Router {
  const router = Router();
  router.get<{ gameID?: string }>([LAUNCH_PATH, `${LAUNCH_PATH}/:gameID`], noStore, async (req, res) => {
    const query = new URLSearchParams(req.url.split('?')[1]);
    const sessionID = query.get('sessionID') ?? '';
    const session = sessionID === '' ? undefined : await deps.sessions.find(sessionID);
    const game = deps.catalogue.current(req.params.gameID ?? session?.gameID);
    if (game === undefined) return sendJson(res, notFoundResponse('there is no such game here'));
    const settings = settingsOf(query, placeFor(req, deps.address()));
    const canGoOn = session !== undefined && (await isUpToDate(deps.db, { session, sessionID, game }));
    const launched = canGoOn
      ? { ok: true as const, url: launchUrlOf({ ...settings, ...session, sessionID }) }
      : await newLaunch(deps, { query, settings, game, session });
    if (!launched.ok) return sendJson(res, errorResponse('ERR_VAL', launched.why));
    res.redirect(withOtherParameters(launched.url, query));
  });
  return router;
}

type Settings = ReturnType<typeof settingsOf>;

/** The values that front ends read as true, so that the session and its page agree. */
const TRUE = ['true', '1'];

function settingsOf(query: URLSearchParams, place: LaunchPlace & Pick<Address, 'rgsUrl'>) {
  const isSocial = TRUE.includes(query.get('social')?.toLowerCase() ?? '');
  return {
    ...place,
    language: toLanguage(query.get('lang')),
    device: toDevice(query.get('device')),
    ...(isSocial && { social: true }),
  };
}

/**
 * Returns the address at which the client reaches this server: a phone uses another one than a
 * browser on this machine. The front end on this machine is at the same address.
 */
function placeFor({ protocol, headers }: Request, own: Address): LaunchPlace & Pick<Address, 'rgsUrl'> {
  const { frontendUrl } = own;
  const asked = parseHttpUrl(`${protocol}://${headers.host}`);
  if (asked === undefined) return { gameHost: own.url, rgsUrl: own.rgsUrl, frontendUrl };
  const { hostname, port } = asked;
  const isSecure = protocol === 'https';
  const { url, rgsUrl } = listeningAddress({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (isSecure ? 443 : 80)),
    isSecure,
  });
  if (frontendUrl === undefined) return { gameHost: url, rgsUrl };
  const page = new URL(frontendUrl);
  if (isLoopback(page.hostname) && !isLoopback(hostname)) page.hostname = hostname;
  return { gameHost: url, rgsUrl, frontendUrl: page.href };
}

/**
 * Returns whether a session is on the current version. A session of an operator with a wallet stays
 * on its version, as the operator launched it.
 */
async function isUpToDate(
  db: Database,
  { session, sessionID, game }: { session: SessionFacts; sessionID: string; game: GameVersion },
): Promise<boolean> {
  if (session.isSeamless) return true;
  if (session.gameID !== game.gameID || session.gameVersion !== game.version) return false;
  return isSessionOpen(db, sha256Of(sessionID));
}

type PageLaunch = { query: URLSearchParams; settings: Settings; game: GameVersion; session: SessionFacts | undefined };

async function newLaunch(
  deps: LaunchDeps,
  { query, settings, game, session }: PageLaunch,
): Promise<{ ok: true; url: string } | { ok: false; why: string }> {
  const wanted = query.get('currency')?.toUpperCase() ?? session?.currency;
  // A game may stop offering the currency of a page that is open.
  const isKept = isCurrencyCode(wanted) && (session === undefined || game.currencies.includes(wanted));
  const currency = isKept ? wanted : game.currencies[0];
  if (currency === undefined) return { ok: false, why: SESSION_REFUSALS.currency_not_offered };
  if (!isKnownCurrency(deps.catalogue, currency)) return { ok: false, why: unknownCurrency(currency) };
  const issued = await issueSession(deps.db, {
    operatorCode: deps.operatorCode,
    playerExternalID: query.get('token') ?? session?.externalID ?? TEST_PLAYER,
    gameID: game.gameID,
    gameVersion: game.version,
    currency,
    country: undefined,
    social: settings.social ?? false,
    openingBalance: toMicros(DEFAULT_TEST_BALANCE),
    setBalanceTo: undefined,
    jurisdiction: {},
    launch: settings,
  });
  if (issued.ok) return issued;
  return { ok: false, why: isElsewhere(issued) ? issued.detail : (issued.detail ?? SESSION_REFUSALS[issued.refusal]) };
}

/** Local sessions are refused for these reasons. */
export const SESSION_REFUSALS: Readonly<Record<StartSessionRefusal, string>> = {
  unknown_operator: 'the operator of the test players is not there',
  unknown_game: 'the game is not published',
  currency_not_offered: 'the game is not offered in this currency',
  player_name: 'token: must not hold control characters or ends of lines',
  rtp_too_low: 'a mode of the game returns less than the jurisdiction demands',
  session_taken: 'there is a session of this id already',
};

const PAGES: ReadonlySet<string> = new Set(LAUNCH_PAGES);

/**
 * Keeps the front end's other parameters. A page to which the game must not lead, such as
 * `javascript:…`, is left out.
 */
function withOtherParameters(launchUrl: string, query: URLSearchParams): string {
  const url = new URL(launchUrl);
  for (const [name, value] of query) {
    const isPage = !PAGES.has(name) || parseHttpUrl(value) !== undefined;
    if (name !== 'token' && isPage && !url.searchParams.has(name)) url.searchParams.append(name, value);
  }
  return url.href;
}
