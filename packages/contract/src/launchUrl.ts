import {
  type ConfiguredCurrency,
  type CurrencyCode,
  type Device,
  isCurrencyCode,
  type Language,
  toDevice,
  toLanguage,
} from './displayFacts.ts';
import { isMicros, MICROS_PER_UNIT, type Micros } from './money.ts';
import { parseHttpUrl, parseUrl, resolveRgsUrl } from './rgsUrl.ts';
import { isWellFormedText, isWithinCharacters, MAX_SESSION_ID_CHARACTERS } from './text.ts';

/** A game leads to these pages of the operator, each an http or https URL. */
export type LaunchPages = {
  /** The game leads back to this page. */
  returnURL?: string;
  /** The player pays money in on this page. */
  cashierURL?: string;
  /** The player sees all that they have played on this page. */
  historyURL?: string;
  /** The player finds limits, breaks and help on this page. */
  responsibleGamblingURL?: string;
};

export const LAUNCH_PAGES = [
  'returnURL',
  'cashierURL',
  'historyURL',
  'responsibleGamblingURL',
] as const satisfies readonly (keyof LaunchPages)[];

/** Every launch URL carries these besides its purpose. */
export type LaunchSettings = LaunchPages & {
  /**
   * It is the address of the RGS: a full URL or a bare host (see `resolveRgsUrl`). It is written
   * into the URL as given: some front ends put `https://` before it themselves and so need the bare
   * host. Parsing resolves it.
   */
  rgsUrl: string;
  language: Language;
  device: Device;
  currency?: CurrencyCode;
  /** The game shows no words of money (social casino). */
  social?: boolean;
  /** The player plays for fun. */
  demo?: boolean;
};

/** Describes a launch URL for play. */
export type LaunchParams = LaunchSettings & {
  /** The front ends are here: a full URL or a bare host, with a path or not. */
  gameHost: string;
  gameID: string;
  gameVersion: string;
  /** Has 1 to 256 characters. */
  sessionID: string;
};

/** Such a launch URL shows a published book again, without a session. */
export type ReplayParams = LaunchSettings & {
  /** The front ends are here: a full URL or a bare host, with a path or not. */
  gameHost: string;
  game: string;
  version: string;
  mode: string;
  event: string;
  /** The game shows this base bet, above zero. */
  amount: Micros;
  /** How the currency is shown, when it is one that the server configures. */
  currencyFacts?: ConfiguredCurrency;
};

/** Why a launch URL cannot be used, in the order in which the reasons are checked. */
export type LaunchIssue =
  | 'not-a-url'
  | 'missing-rgs-url'
  | 'bad-rgs-url'
  | 'missing-session'
  | 'bad-session'
  | 'missing-replay-parameter'
  | 'bad-replay-amount';

/** A player may be shown these reasons. */
export const LAUNCH_ISSUE_MESSAGES: Readonly<Record<LaunchIssue, string>> = {
  'not-a-url': 'The address of this game is not a web address.',
  'missing-rgs-url': 'The launch link does not say which server to play on (rgs_url).',
  'bad-rgs-url': 'The launch link names a server address that cannot be used (rgs_url).',
  'missing-session': 'The launch link has no session (sessionID). Please open the game from the lobby again.',
  'bad-session': 'The session in the launch link is too long (sessionID). Please open the game from the lobby again.',
  'missing-replay-parameter': 'The replay link is incomplete: it needs game, version, mode and event.',
  'bad-replay-amount': 'The replay link has an amount that is not a whole number of micros above zero.',
};

/**
 * Says where the page is. It is empty when the address is not
 * `{game_host}/<game_id>/<game_version>/index.html`.
 */
export type LaunchPlace = { gameHost?: string; gameID?: string; gameVersion?: string };

/** In fun mode the URL has `demo` and no session, and the sessionID is empty. */
export type LaunchPlay = { kind: 'play'; sessionID: string } & LaunchSettings & LaunchPlace;
export type LaunchReplay = { kind: 'replay'; gameHost?: string } & Omit<ReplayParams, 'gameHost'>;

/** Holds what a launch URL says. `rgsUrl` is resolved: a path can follow it. */
export type Launch = LaunchPlay | LaunchReplay | { kind: 'unusable'; issue: LaunchIssue };

/**
 * Builds the URL that opens a game for a player. `parseLaunchUrl` gives back what went in, with
 * both addresses resolved.
 * @throws RangeError when a value has no place in a URL: an address that does not resolve, a
 * sessionID that is empty or over 256 characters, a game id or version that is empty, "." or "..",
 * a page of {@link LaunchPages} that is not http or https, half a surrogate pair anywhere.
 */
export function buildLaunchUrl(params: LaunchParams): string {
  if (!isSessionID(params.sessionID)) throw new RangeError('a sessionID has 1 to 256 characters');
  return launchHref([params.gameHost, params.gameID, params.gameVersion], {
    sessionID: params.sessionID,
    ...settingsQuery(params),
  });
}

/**
 * Builds the URL that shows a published book again.
 * @throws RangeError as `buildLaunchUrl`, or when mode or event is empty, or the amount is not
 * above zero.
 */
export function buildReplayUrl(params: ReplayParams): string {
  const { game, version, mode, event, amount } = params;
  if (!mode || !event) throw new RangeError('a replay needs a mode and an event');
  if (!isReplayAmount(amount)) throw new RangeError('a replay needs an amount above zero');
  const facts = params.currencyFacts && { currencyFacts: JSON.stringify(params.currencyFacts) };
  const replay = { replay: 'true', game, version, mode, event, amount: String(amount), ...facts };
  return launchHref([params.gameHost, game, version], { ...replay, ...settingsQuery(params) });
}

/**
 * Reads a launch URL, `location.href` in a browser. Never throws: for a URL that cannot be used it
 * returns the reason. An unknown language, device or currency is `en`, `desktop` or none. One of
 * {@link LaunchPages} that a page must not follow (`javascript:…`) is left out. A replay without an
 * amount shows one unit.
 */
export function parseLaunchUrl(href: string): Launch {
  const url = parseUrl(href);
  if (!url) return unusable('not-a-url');
  const rgsText = url.searchParams.get('rgs_url');
  if (!rgsText) return unusable('missing-rgs-url');
  const rgsUrl = resolveRgsUrl(rgsText);
  if (!rgsUrl) return unusable('bad-rgs-url');

  const settings = readSettings(url.searchParams, rgsUrl);
  const place = readPlace(url);
  return readFlag(url.searchParams, 'replay') === true
    ? readReplay(url.searchParams, settings, place)
    : readPlay(url.searchParams, settings, place);
}

function readPlay(query: URLSearchParams, settings: LaunchSettings, place: LaunchPlace): Launch {
  const sessionID = query.get('sessionID');
  if (!sessionID) return settings.demo ? readFunMode(query, settings, place) : unusable('missing-session');
  if (!isSessionID(sessionID)) return unusable('bad-session');
  return { kind: 'play', sessionID, ...settings, ...place } satisfies LaunchPlay;
}

/** Without a session the page keeps the play money, and its address names the game. */
function readFunMode(query: URLSearchParams, settings: LaunchSettings, place: LaunchPlace): Launch {
  const gameID = place.gameID ?? query.get('game');
  const gameVersion = place.gameVersion ?? query.get('version');
  if (!gameID || !gameVersion) return unusable('missing-session');
  return { kind: 'play', sessionID: '', ...settings, ...place, gameID, gameVersion } satisfies LaunchPlay;
}

function readReplay(query: URLSearchParams, settings: LaunchSettings, { gameHost }: LaunchPlace): Launch {
  const [game, version, mode, event] = ['game', 'version', 'mode', 'event'].map((name) => query.get(name));
  if (!game || !version || !mode || !event) return unusable('missing-replay-parameter');
  const amountText = query.get('amount') || String(MICROS_PER_UNIT);
  const amount = /^\d+$/.test(amountText) ? Number(amountText) : 0;
  if (!isReplayAmount(amount)) return unusable('bad-replay-amount');
  const host = gameHost === undefined ? {} : { gameHost };
  const currencyFacts = readFacts(query.get('currencyFacts'));
  const facts = currencyFacts && { currencyFacts };
  return { kind: 'replay', game, version, mode, event, amount, ...settings, ...host, ...facts } satisfies LaunchReplay;
}

/** Reads the facts as they are written: the server made the link from its own settings. */
function readFacts(text: string | null): ConfiguredCurrency | undefined {
  try {
    const facts = JSON.parse(text ?? 'null');
    return isCurrencyCode(facts?.code) && typeof facts.symbol === 'string' ? facts : undefined;
  } catch {
    return undefined;
  }
}

function readSettings(query: URLSearchParams, rgsUrl: string): LaunchSettings {
  const settings: LaunchSettings = {
    rgsUrl,
    language: toLanguage(query.get('lang')),
    device: toDevice(query.get('device')),
  };
  const currency = query.get('currency')?.toUpperCase();
  if (isCurrencyCode(currency)) settings.currency = currency;
  const social = readFlag(query, 'social');
  if (social !== undefined) settings.social = social;
  const demo = readFlag(query, 'demo');
  if (demo !== undefined) settings.demo = demo;
  const pages = launchPages((name) => {
    const page = query.get(name);
    return page !== null && parseHttpUrl(page) ? page : undefined;
  });
  return { ...settings, ...pages };
}

/** Returns the pages that `read` has, and nothing else. */
export function launchPages(read: (name: keyof LaunchPages) => string | undefined): LaunchPages {
  const pages: LaunchPages = {};
  for (const name of LAUNCH_PAGES) {
    const page = read(name);
    if (page !== undefined) pages[name] = page;
  }
  return pages;
}

function readFlag(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name)?.toLowerCase();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  return undefined;
}

function readPlace(url: URL): LaunchPlace {
  const match = /^(.*)\/([^/]+)\/([^/]+)\/index\.html$/.exec(url.pathname);
  if (!match || !parseHttpUrl(url.href)) return {};
  const [, prefix = '', id = '', version = ''] = match;
  try {
    return {
      gameHost: `${url.origin}${prefix.replace(/\/+$/, '')}`,
      gameID: decodeURIComponent(id),
      gameVersion: decodeURIComponent(version),
    };
  } catch {
    // A path that is not valid percent-encoding was not made by buildLaunchUrl.
    return {};
  }
}

function settingsQuery(settings: LaunchSettings): Record<string, string> {
  const { rgsUrl, language, device, currency, social, demo } = settings;
  if (!resolveRgsUrl(rgsUrl)) throw new RangeError(`not a server address: ${rgsUrl}`);
  const pages = launchPages((name) => settings[name]);
  for (const [name, page] of Object.entries(pages)) {
    if (!parseHttpUrl(page)) throw new RangeError(`${name} is not an http or https URL: ${page}`);
  }
  return {
    lang: language,
    device,
    rgs_url: rgsUrl,
    ...(currency !== undefined && { currency }),
    ...(social !== undefined && { social: String(social) }),
    ...(demo !== undefined && { demo: String(demo) }),
    ...pages,
  };
}

function launchHref([gameHost, ...names]: [string, string, string], query: Record<string, string>): string {
  const host = resolveRgsUrl(gameHost);
  if (!host) throw new RangeError(`not a game host: ${gameHost}`);
  // The URL parser would resolve a segment of dots away.
  if (names.some((name) => /^\.{0,2}$/.test(name)))
    throw new RangeError(`not a game id and version: ${names.join(', ')}`);
  if (![...names, ...Object.values(query)].every(isWellFormedText))
    throw new RangeError('half a surrogate pair has no place in a URL');
  return `${host}/${names.map(encodeURIComponent).join('/')}/index.html?${new URLSearchParams(query)}`;
}

function isSessionID(text: string): boolean {
  return isWithinCharacters(text, MAX_SESSION_ID_CHARACTERS);
}

function isReplayAmount(amount: number): amount is Micros {
  return isMicros(amount) && amount > 0;
}

function unusable(issue: LaunchIssue): Launch {
  return { kind: 'unusable', issue };
}
