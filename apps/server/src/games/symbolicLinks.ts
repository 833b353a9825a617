import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { GameFolder } from './locateGame.ts';

/**
 * The symbolic links among the files of a game, wherever they lead: what is served to players has to be the game's own. The folder of the
 * game itself may be reached through a link.
 */
export async function symbolicLinksOf(found: GameFolder, gameFolder: string): Promise<string[]> {
  const root = path.resolve(gameFolder);
  const { gameFile, mathFolder, mathToolConfig, frontendFolder } = found;
  const named = [gameFile, mathFolder, mathToolConfig, frontendFolder].filter((each) => each !== undefined);
  const links: string[] = [];
  for (const each of new Set(named.flatMap((file) => stepsTo(file, root)))) if (await isLink(each)) links.push(each);
  for (const folder of [mathFolder, frontendFolder]) {
    if (folder === undefined || links.length > 0) continue;
    // What is not there, or is no folder, is for whoever reads it to tell.
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (entry.isSymbolicLink()) links.push(path.join(entry.parentPath, entry.name));
  }
  return links;
}

/** The file, and the folders between the root and it; the file alone when it lies elsewhere. */
function stepsTo(file: string, root: string): string[] {
  const names = path.relative(root, file).split(path.sep);
  if (names[0] === '..') return [file];
  return names.filter((name) => name !== '').map((_, index) => path.join(root, ...names.slice(0, index + 1)));
}

async function isLink(file: string): Promise<boolean> {
  return lstat(file).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}
