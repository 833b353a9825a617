import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { locateGame, placesOfGame } from './locateGame.ts';

/** A snapshot shows the files of a game at one moment, without its books. */
export type GameSnapshot = {
  /** A text for each file that identifies its content, by its path below the game's folder. */
  files: ReadonlyMap<string, string>;
  /** The folders in which a change of the game shows, each with the entries that matter there. */
  places: ReadonlyMap<string, ReadonlySet<string> | 'all'>;
  /** Says why these files are not a whole game yet. */
  incomplete?: string;
};

/**
 * A snapshot is complete when game.json and index.json are JSON and every file that index.json
 * names has content. Loading finds what is wrong in them.
 */
export async function takeSnapshot(folder: string): Promise<GameSnapshot> {
  const root = path.resolve(folder);
  const files = new Map<string, string>();
  const places = placesOfGame(root);
  const incomplete = await readGame(root, { files, places });
  return { files, places, ...(incomplete !== undefined && { incomplete }) };
}

export function isSameContent(a: GameSnapshot, b: GameSnapshot): boolean {
  return a.files.size === b.files.size && [...a.files].every(([file, content]) => b.files.get(file) === content);
}

async function readGame(
  root: string,
  { files, places }: { files: Map<string, string>; places: Map<string, Set<string> | 'all'> },
): Promise<string | undefined> {
  const found = await locateGame(root);
  if (found === undefined) {
    const isThere = await stat(root).catch(() => undefined);
    return isThere ? `there is no game.json and no index.json in ${root}` : `the folder ${root} is not there`;
  }
  const read = async (file: string): Promise<{ name: string; content: unknown } | { name: string }> => {
    const name = path.relative(root, file);
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) return { name };
    files.set(name, createHash('sha256').update(text).digest('hex'));
    return { name, content: parsed(text) };
  };
  const { gameFile, mathToolConfig, mathFolder } = found;
  const index = path.join(mathFolder, 'index.json');
  for (const file of [gameFile, mathToolConfig, index]) {
    if (file === undefined) continue;
    const { name, content } = { content: undefined, ...(await read(file)) };
    if (!files.has(name)) return `${name} is not there`;
    if (content === undefined) return `${name} is not JSON`;
    if (file === index)
      for (const named of publishedNames(content)) {
        const published = path.join(mathFolder, named);
        places.set(path.dirname(published), 'all');
        const identity = await identityOf(published);
        if (identity === undefined) return `index.json names ${named}, which is not there or is empty`;
        files.set(path.relative(root, published), identity);
      }
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** Returns the names in an index.json, which may be any JSON. */
function publishedNames(index: unknown): string[] {
  const modes = (index as { modes?: unknown } | null)?.modes;
  if (!Array.isArray(modes)) return [];
  return modes.flatMap((mode) => [mode?.events, mode?.weights]).filter((name) => typeof name === 'string');
}

/**
 * Returns a text that changes with the file. It includes ctime, as the store of books does, because
 * a modification time can be set.
 */
async function identityOf(file: string): Promise<string | undefined> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  if (found === undefined || found.size === 0n) return undefined;
  return `${found.size} ${found.mtimeNs} ${found.ctimeNs} ${found.ino}`;
}
