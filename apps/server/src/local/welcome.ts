import path from 'node:path';
import { DEFAULT_TEST_BALANCE, DEV_ROUTES, GAME_ROUTES, toMicros } from '@roundhouse/contract';
import { createCryptoRandom } from '@roundhouse/math';
import { LAUNCH_PATH } from '../base/address.ts';
import type { Catalogue, GameMode, GameVersion } from '../rounds/games/catalogue.ts';
import { HOUSE_OPERATOR, issueSession } from '../rounds/sessions/launchSession.ts';
import type { Database } from '../store/database/database.ts';
import { TEST_PLAYER } from './launchRouter.ts';

const MAX_DRAWS = 10_000;

/** Browsers reach the server at this address; launch URLs have its parts. */
type ServerAddress = { url: string; rgsUrl: string; frontendUrl?: string | undefined };

type WelcomeDeps = {
  db: Database;
  catalogue: Catalogue;
  server: ServerAddress;
  dataFolder: string;
  /** The operator that runs beside the server has it, if one does. */
  lobbyUrl: string | undefined;
  /** The console for staff, with the link of its first administrator until somebody has used it. */
  staffConsole: { url: string; link: string | undefined } | undefined;
};

/**
 * Returns what `dev` prints once it serves: a launch URL per game, and a ready curl line per
 * endpoint. Of several games only the first has all of its facts.
 */
export async function welcome(deps: WelcomeDeps): Promise<string> {
  const { db, catalogue, server, dataFolder, lobbyUrl, staffConsole } = deps;
  const sections: string[] = [];
  let firstSessionID: string | undefined;
  for (const game of catalogue.games) {
    const issued = await testSession(db, game, server);
    firstSessionID ??= issued?.sessionID;
    const urls = { launchUrl: issued?.url, stableUrl: stableLaunchUrl(server.url, game) };
    sections.push(gameSection(game, { ...urls, isFirst: sections.length === 0 }));
  }
  const [game] = catalogue.games;
  if (game !== undefined && firstSessionID !== undefined) sections.push(curlSection(game, server.url, firstSessionID));
  return [
    ...(lobbyUrl === undefined ? [] : [`\nLobby          ${lobbyUrl}`]),
    ...(staffConsole === undefined ? [] : [`${lobbyUrl === undefined ? '\n' : ''}Console        ${staffConsole.url}`]),
    ...(staffConsole?.link === undefined ? [] : [`  first sign-in  ${staffConsole.link}`]),
    `\nRoundhouse serves ${catalogue.games.length === 1 ? 'one game' : `${catalogue.games.length} games`} on ${server.url}`,
    `  documents      ${server.url}/docs, of the API /docs/api`,
    `  data folder    ${dataFolder}`,
    '',
    sections.join('\n\n'),
    '',
    'Ctrl-C stops it.',
  ].join('\n');
}

type BriefDeps = { catalogue: Catalogue; url: string; dataFolder: string };

/** The terminal also shows the front end's server, whose page launches the game itself. */
export function briefWelcome({ catalogue, url, dataFolder }: BriefDeps): string {
  const lines = catalogue.games.map(
    (game) => `  ${game.title}: ${game.gameID}, version ${game.version}, RTP ${returnsText(game)}`,
  );
  const place = path.relative(process.cwd(), dataFolder);
  return [`Roundhouse on ${url}, documents ${url}/docs, data folder ${place}`, ...lines].join('\n');
}

/** Shows the RTP of each mode, and that of an earlier version when it was another. */
export function returnsText(game: GameVersion, before?: GameVersion): string {
  const modes = [...game.modes.values()].map(({ key, math }) => {
    const now = percent(math.statistics().rtp);
    const earlier = before?.modes.get(key);
    const was = earlier && percent(earlier.math.statistics().rtp);
    return `${key} ${now}${was === undefined || was === now ? '' : ` (was ${was})`}`;
  });
  return modes.join(', ');
}

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(3)} %`;
}

async function testSession(db: Database, game: GameVersion, server: ServerAddress) {
  const [currency] = game.currencies;
  if (currency === undefined) return undefined;
  const issued = await issueSession(db, {
    operatorCode: HOUSE_OPERATOR,
    playerExternalID: TEST_PLAYER,
    gameID: game.gameID,
    gameVersion: game.version,
    currency,
    country: undefined,
    social: false,
    openingBalance: toMicros(DEFAULT_TEST_BALANCE),
    setBalanceTo: undefined,
    jurisdiction: {},
    launch: {
      gameHost: server.url,
      frontendUrl: server.frontendUrl,
      rgsUrl: server.rgsUrl,
      language: 'en',
      device: 'desktop',
    },
  });
  return issued.ok ? issued : undefined;
}

/** The URL leads to a new session on the current version, also after a restart. */
export function stableLaunchUrl(serverUrl: string, { gameID }: Pick<GameVersion, 'gameID'>): string {
  return `${serverUrl}${LAUNCH_PATH}/${encodeURIComponent(gameID)}`;
}

type SectionFacts = { launchUrl: string | undefined; stableUrl: string; isFirst: boolean };

function gameSection(game: GameVersion, { launchUrl, stableUrl, isFirst }: SectionFacts): string {
  const modes = [...game.modes.values()].map(
    ({ name, costMultiplier, math }) => `${name} (${costMultiplier}×, ${math.bookCount} books)`,
  );
  return [
    `${game.title}: ${game.gameID}, version ${game.version}`,
    ...(isFirst ? [`  modes   ${modes.join(', ')}`] : []),
    `  launch  ${launchUrl ?? 'no currency is offered'}`,
    ...(isFirst ? [`  stable  ${stableUrl}`] : []),
  ].join('\n');
}

function curlSection(game: GameVersion, url: string, sessionID: string): string {
  const [mode] = game.modes.values();
  const [currency] = game.currencies;
  const amount = (currency && game.betSettings(currency)?.defaultBetLevel) ?? 0;
  const bookID = mode?.autoClose ? payingBook(mode) : undefined;
  const force = { sessionID, mode: mode?.name, bookID };
  const lines: [path: string, body: object][] = [
    [GAME_ROUTES.authenticate.path, { sessionID }],
    ...(bookID === undefined ? [] : [[DEV_ROUTES.forceNext.path, force] satisfies [string, object]]),
    [GAME_ROUTES.play.path, { sessionID, amount, mode: mode?.name }],
    [GAME_ROUTES.event.path, { sessionID, event: 'first reel stopped' }],
    [GAME_ROUTES.authenticate.path, { sessionID }],
    [GAME_ROUTES.endRound.path, { sessionID }],
    [GAME_ROUTES.balance.path, { sessionID }],
  ];
  const insecure = url.startsWith('https:') ? ' -k' : '';
  const curls = lines.map(([path, body]) => `  curl -s${insecure} ${url}${path} -d '${JSON.stringify(body)}'`);
  const heading =
    bookID === undefined
      ? `A round of ${game.gameID} (the second authenticate resumes it):`
      : `A paying round of ${game.gameID} (a losing one closes at once; the second authenticate resumes it):`;
  return `${heading}\n${curls.join('\n')}`;
}

/** Finds any book that pays, or none when that is too rare. */
function payingBook({ math }: GameMode): number | undefined {
  const random = createCryptoRandom();
  for (let attempt = 0; attempt < MAX_DRAWS; attempt += 1) {
    const book = math.draw(random);
    if (book.payoutMultiplier > 0n) return book.bookID;
  }
  return undefined;
}
