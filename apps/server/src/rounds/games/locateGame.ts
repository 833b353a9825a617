import { access, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { ownPath } from '@roundhouse/math';

/** A folder of published files has no game.json. */
export type GameFolder = {
  gameFile: string | undefined;
  mathFolder: string;
  /** The config.json that the math tool writes. */
  mathToolConfig: string | undefined;
  frontendFolder: string | undefined;
  /** The name of the game when no file gives it one. */
  folderName: string;
};

/**
 * The math tool puts the published files of a game at `<game>/library/publish_files`, and its
 * config.json at `<game>/library/configs`.
 */
const LIBRARY = 'library';
const PUBLISHED_FILES = 'publish_files';
/** Every game of the math tool has folders of these names, so they do not name a game. */
const NAMELESS: ReadonlySet<string> = new Set([LIBRARY, PUBLISHED_FILES]);

/** Finds the files in the folder; undefined when it holds neither a game nor published files. */
export async function locateGame(folder: string): Promise<GameFolder | undefined> {
  const root = path.resolve(folder);
  const gameFile = await firstThatExists([path.join(root, 'game.json')]);
  const ownMath = path.join(root, 'math');
  const mathFolder = await publishedFilesIn(gameFile === undefined ? root : ownMath, root);
  if (gameFile === undefined && mathFolder === undefined) return undefined;
  return describeGame({ root, gameFile, mathFolder: mathFolder ?? ownMath });
}

type Place = { root: string; gameFile: string | undefined; mathFolder: string };

async function describeGame({ root, gameFile, mathFolder }: Place): Promise<GameFolder> {
  const beside = path.dirname(mathFolder);
  return {
    gameFile,
    mathFolder,
    mathToolConfig: await firstThatExists([
      path.join(mathFolder, 'config.json'),
      path.join(beside, 'config.json'),
      path.join(beside, 'configs', 'config.json'),
    ]),
    frontendFolder: gameFile && (await firstThatExists([path.join(root, 'frontend')])),
    folderName: nameOf(mathFolder),
  };
}

/** Returns the folder itself when it is a game, else the games at most `<game>/<version>/` deep. */
export async function locateGames(folder: string): Promise<string[]> {
  if (await isGame(folder)) return [folder];
  const found: string[] = [];
  for (const child of await foldersIn(folder)) {
    if (await isGame(child)) found.push(child);
    else for (const grandchild of await foldersIn(child)) if (await isGame(grandchild)) found.push(grandchild);
  }
  return found;
}

/** A project's sources have game.json and package.json; the game that they make is in dist/. */
async function isGame(folder: string): Promise<boolean> {
  const game = await locateGame(folder);
  if (game === undefined) return false;
  const isPublished = await exists(path.join(game.mathFolder, 'index.json'));
  return isPublished || !(await exists(path.join(folder, 'package.json')));
}

/**
 * Returns the games below the folders. A folder without a game stays in the list: loading it says
 * what is missing.
 */
export async function locateAll(folders: readonly string[]): Promise<string[]> {
  const located = folders.map(async (folder) => {
    const games = await locateGames(folder).catch(() => []);
    return games.length > 0 ? games : [folder];
  });
  return (await Promise.all(located)).flat();
}

/** Returns the folders in which a file of the game may appear, each with the game's entries. */
export function placesOfGame(root: string): Map<string, Set<string> | 'all'> {
  const library = path.join(root, LIBRARY);
  const places: [folder: string, entries: Set<string> | 'all'][] = [
    // A project's folder also contains other files, such as a log that grows.
    [root, new Set(['game.json', 'index.json', 'config.json', 'math', PUBLISHED_FILES, 'configs', LIBRARY])],
    [library, new Set([PUBLISHED_FILES, 'config.json', 'configs'])],
    ...[root, library].map(
      (folder) => [path.join(folder, 'configs'), new Set(['config.json'])] as [string, Set<string>],
    ),
    ...[root, library].map((folder) => [path.join(folder, PUBLISHED_FILES), 'all'] as [string, 'all']),
    [path.join(root, 'math'), 'all'],
  ];
  return new Map(places);
}

async function publishedFilesIn(first: string, root: string): Promise<string | undefined> {
  const places = [first, path.join(root, PUBLISHED_FILES), path.join(root, LIBRARY, PUBLISHED_FILES)];
  const index = await firstThatExists(places.map((place) => path.join(place, 'index.json')));
  return index && path.dirname(index);
}

function nameOf(folder: string): string {
  const name = path.basename(folder);
  return NAMELESS.has(name) ? nameOf(path.dirname(folder)) : name;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder);
  const paths = entries.sort().map((entry) => path.join(folder, entry));
  // A link that leads nowhere is not a folder.
  const areFolders = await Promise.all(
    paths.map((each) =>
      stat(each).then(
        (found) => found.isDirectory(),
        () => false,
      ),
    ),
  );
  return paths.filter((_, index) => areFolders[index]);
}

async function firstThatExists(paths: readonly string[]): Promise<string | undefined> {
  for (const each of paths) if (await exists(each)) return each;
  return undefined;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the symbolic links among the files of a game, wherever they lead: the files of a game
 * must lie in its folder ({@link ownPath}). That folder itself may be reached through a link.
 */
export async function symbolicLinksOf(found: GameFolder, gameFolder: string): Promise<string[]> {
  const root = path.resolve(gameFolder);
  const { gameFile, mathFolder, mathToolConfig, frontendFolder } = found;
  const named = [gameFile, mathFolder, mathToolConfig, frontendFolder].filter((each) => each !== undefined);
  const links = (await Promise.all(named.map((file) => linkTo(file, root)))).filter((each) => each !== undefined);
  if (links.length > 0) return [...new Set(links)];
  for (const folder of [mathFolder, frontendFolder]) {
    if (folder === undefined) continue;
    // A front end may have thousands of files. Listing them costs less than a real path of each.
    // Loading reports a missing folder.
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (entry.isSymbolicLink()) links.push(path.join(entry.parentPath, entry.name));
  }
  return links;
}

/**
 * Returns the first link between the root and the file. If the file lies elsewhere, returns only
 * the file itself.
 */
async function linkTo(file: string, root: string): Promise<string | undefined> {
  const names = path.relative(root, file).split(path.sep);
  const isElsewhere = names[0] === '..';
  const folder = isElsewhere ? path.dirname(file) : root;
  const steps = isElsewhere ? [path.basename(file)] : names.map((_, index) => path.join(...names.slice(0, index + 1)));
  for (const step of steps) {
    // A missing file is not a link.
    if ((await ownPath(folder, step).catch(() => '')) === undefined) return path.join(folder, step);
  }
  return undefined;
}
