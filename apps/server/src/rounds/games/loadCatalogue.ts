import type { ConfiguredCurrency } from '@roundhouse/contract';
import { type LoadProgress, type MathPackage, openStoredMath, rtpWarning } from '@roundhouse/math';
import type { Database } from '../../store/database/database.ts';
import { listPublishedVersions, publishGame } from '../../store/rounds/games.ts';
import { type Catalogue, createCatalogue, type GameVersion, type RetiredVersion } from './catalogue.ts';
import { type LoadGameOutcome, loadGame, type RefusedGame } from './loadGame.ts';
import { splitGames } from './splitGames.ts';

export type LoadCatalogueOptions = {
  db: Database;
  folders: readonly string[];
  storeFolder: string;
  onGame?: (folder: string) => void;
  onProgress?: (progress: LoadProgress) => void;
  signal?: AbortSignal;
  /** See LoadGameOptions. */
  versionByContent?: boolean;
  /** Called for findings that do not stop the start but may harm players. */
  warn: (message: string) => void;
  /**
   * The highest RTP of a mode; 1 is 100 %. Left out for games that were checked before: an RTP
   * costs a pass over the rows of its mode, some 50 ms for 100,000 of them.
   */
  maxRtp?: number;
  /** See LoadGameOptions. */
  currencies?: readonly ConfiguredCurrency[];
};

/** The tolerance of the limit: percentages such as 97.3 are not exact as numbers. */
const RTP_TOLERANCE = 1e-12;

/** `refused` has every game with an issue. */
export type LoadCatalogueOutcome = { ok: true; catalogue: Catalogue } | { ok: false; refused: RefusedGame[] };

/**
 * Loads every game, makes each known to the database, and reopens the books of versions that rounds
 * are still pinned to.
 */
export async function loadCatalogue(options: LoadCatalogueOptions): Promise<LoadCatalogueOutcome> {
  const games: GameVersion[] = [];
  const refused: RefusedGame[] = [];
  for (const folder of options.folders) {
    options.onGame?.(folder);
    const loaded = await loadAndPublish(options, folder, games);
    if (loaded.ok) games.push(loaded.game);
    else refused.push(loaded);
  }
  if (refused.length > 0) {
    await Promise.all(games.map((game) => game.math.close()));
    return { ok: false, refused };
  }
  const names = games.map(({ math }, index) => ({ folder: options.folders[index] ?? '', modes: modeNames(math) }));
  for (const note of await splitGames(names)) options.warn(note);
  const retired = await retiredVersions(options, games);
  return { ok: true, catalogue: createCatalogue(games, { retired, currencies: options.currencies }) };
}

function modeNames({ modes }: MathPackage): string[] {
  return [...modes.values()].map(({ name }) => name);
}

/** Loads one game and makes it known to the database. */
export async function loadAndPublish(
  {
    db,
    storeFolder,
    onProgress,
    signal,
    versionByContent = false,
    maxRtp,
    warn,
    currencies = [],
  }: Omit<LoadCatalogueOptions, 'folders'>,
  folder: string,
  earlier: readonly GameVersion[] = [],
): Promise<LoadGameOutcome> {
  const check = (game: GameVersion) => (maxRtp === undefined ? undefined : rtpIssue(game, { maxRtp, warn }));
  const loaded = await loadGame({
    folder,
    storeFolder,
    versionByContent,
    currencies,
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  });
  if (!loaded.ok) return loaded;
  const issue = earlier.some((game) => isSameVersion(game, loaded.game))
    ? 'is loaded twice'
    : (check(loaded.game) ?? (await publish(db, loaded.game)));
  if (issue === undefined) return loaded;
  await loaded.game.math.close();
  return { ok: false, issues: [`${folder}: version ${loaded.game.version} of game ${loaded.game.gameID} ${issue}`] };
}

/** Returns an issue for the first mode whose RTP is too high. Warns of unusual ones. */
function rtpIssue(
  { gameID, version, math }: GameVersion,
  { maxRtp, warn }: { maxRtp: number; warn: LoadCatalogueOptions['warn'] },
): string | undefined {
  for (const mode of math.modes.values()) {
    const warning = rtpWarning(mode);
    if (warning === undefined) continue;
    const { rtp } = mode.statistics();
    if (rtp > maxRtp + RTP_TOLERANCE) {
      return `returns ${percent(rtp)} in mode ${mode.name}, more than ${percent(maxRtp)}: --max-rtp (ROUNDHOUSE_MAX_RTP) allows more`;
    }
    warn(`Version ${version} of game ${gameID}, mode ${mode.name}: ${warning.message}`);
  }
  return undefined;
}

async function publish(
  db: Database,
  { gameID, version, title, math, currencies, jurisdiction, draws, betLimits, modes }: GameVersion,
): Promise<string | undefined> {
  const published = await publishGame(db, {
    gameID,
    version,
    title,
    mathSha256: math.sha256,
    currencies,
    jurisdiction,
    draws,
    betLimits,
    modeReturns: Object.fromEntries(
      [...modes.values()].map(({ key, feature, math: mode }) => [key, { rtp: mode.statistics().rtp, feature }]),
    ),
    tables: [...math.modes.values()].map((mode) => ({
      mode: mode.key,
      cost: mode.cost,
      moments: mode.statistics().moments,
      commitment: mode.commitment,
    })),
  });
  if (published.ok) return undefined;
  if ('changedMode' in published) {
    return `was published with another lookup table of mode ${published.changedMode}, by the sums and hashes in game_modes: this node or the database was changed`;
  }
  return `was published with other math (SHA-256 ${published.publishedSha256.slice(0, 12)}…, now ${math.sha256.slice(0, 12)}…): published math never changes, so give it a new version`;
}

async function retiredVersions(
  { db, storeFolder, warn }: LoadCatalogueOptions,
  games: readonly GameVersion[],
): Promise<RetiredVersion[]> {
  const retired: RetiredVersion[] = [];
  for (const { gameID, version, mathSha256, openRounds, withdrawnAt } of await listPublishedVersions(db)) {
    if (games.some((game) => isSameVersion(game, { gameID, version }))) {
      if (withdrawnAt !== null)
        warn(
          `Version ${version} of game ${gameID} is withdrawn from ${withdrawnAt.toISOString()} on: then it takes no new rounds`,
        );
      continue;
    }
    const math = await openStoredMath({ storeFolder, sha256: mathSha256 });
    if (math.ok) retired.push({ gameID, version, math: math.value });
    else if (openRounds > 0) {
      warn(`${openRounds} open rounds are on version ${version} of game ${gameID}, whose books are not on this node`);
    }
  }
  return retired;
}

function isSameVersion(a: { gameID: string; version: string }, b: { gameID: string; version: string }): boolean {
  return a.gameID === b.gameID && a.version === b.version;
}

function percent(fraction: number): string {
  return `${Number((fraction * 100).toPrecision(10))} %`;
}
