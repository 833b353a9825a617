import path from 'node:path';
import { modeKey } from './catalogue.ts';
import { locateGame } from './locateGame.ts';

type NamedModes = { folder: string; modes: readonly string[] };

/**
 * Returns a note when published files lie in folders beside each other, each with one mode that no
 * other folder has. A game has all of its modes in one folder; several folders are several games.
 */
export async function splitGames(games: readonly NamedModes[]): Promise<string[]> {
  const parents = new Map<string, string[]>();
  for (const { folder, modes } of games) {
    const [mode, ...others] = modes;
    if (mode === undefined || others.length > 0 || (await locateGame(folder))?.gameFile !== undefined) continue;
    const parent = path.dirname(path.resolve(folder));
    parents.set(parent, [...(parents.get(parent) ?? []), mode]);
  }
  return [...parents].flatMap(([parent, modes]) => {
    const isOneGame = modes.length > 1 && new Set(modes.map(modeKey)).size === modes.length;
    if (!isOneGame) return [];
    return `${parent}: ${modes.join(', ')} look like modes of one game: put their files into one folder, and list them in one index.json`;
  });
}
