import { access, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Where the parts of a game lie. A folder of published files has no game.json. */
export type GameFolder = {
  gameFile: string | undefined;
  mathFolder: string;
  /** The math tool's config.json, in or beside the published files. */
  mathToolConfig: string | undefined;
  frontendFolder: string | undefined;
  /** What the game is called when no file gives it a name. */
  folderName: string;
};

const PUBLISHED_FOLDER = 'publish_files';

/** What the folder is, or undefined when it is neither a game folder nor a set of published files. */
export async function locateGame(folder: string): Promise<GameFolder | undefined> {
  const root = path.resolve(folder);
  if (await exists(path.join(root, 'game.json'))) {
    const mathFolder = path.join(root, 'math');
    return {
      gameFile: path.join(root, 'game.json'),
      mathFolder,
      mathToolConfig: await firstThatExists([path.join(mathFolder, 'config.json'), path.join(root, 'config.json')]),
      frontendFolder: await firstThatExists([path.join(root, 'frontend')]),
      folderName: path.basename(root),
    };
  }
  const mathFolder = await publishedFilesIn(root);
  if (mathFolder === undefined) return undefined;
  const parent = path.dirname(mathFolder);
  return {
    gameFile: undefined,
    mathFolder,
    mathToolConfig: await firstThatExists([path.join(mathFolder, 'config.json'), path.join(parent, 'config.json')]),
    frontendFolder: undefined,
    folderName: path.basename(path.basename(mathFolder) === PUBLISHED_FOLDER ? parent : mathFolder),
  };
}

/** Games below a folder of games: at most `<game>/<version>/` deep. */
export async function locateGamesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const child of await foldersIn(folder)) {
    if ((await locateGame(child)) !== undefined) found.push(child);
    else
      for (const grandchild of await foldersIn(child))
        if ((await locateGame(grandchild)) !== undefined) found.push(grandchild);
  }
  return found;
}

async function publishedFilesIn(root: string): Promise<string | undefined> {
  for (const folder of [root, path.join(root, PUBLISHED_FOLDER)]) {
    if (await exists(path.join(folder, 'index.json'))) return folder;
  }
  return undefined;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder);
  const paths = entries.sort().map((entry) => path.join(folder, entry));
  const areFolders = await Promise.all(paths.map(async (each) => (await stat(each)).isDirectory()));
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
