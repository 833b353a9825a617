import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishMath } from '@roundhouse/math';
import { MODE_COST_HUNDREDTHS } from '../rules/gameRules.ts';
import { booksOf } from './books.ts';
import { gameSettings } from './gameSettings.ts';
import type { Mode } from './modes.ts';
import { outcomesOf } from './outcomes.ts';

/** Streams of random numbers: the number for each seed, and the number of these for each mode. */
const STREAMS_PER_SEED = 1000;
const STREAMS_PER_MODE = 100;

export type GameInput = { readonly modes: readonly Mode[]; readonly seed: number };

export type PublishedFactor = { readonly name: string; readonly factor: number };

/**
 * Replaces `math/` and `game.json` in `gameFolder`, and nothing else there. The same modes and seed
 * give the same bytes. Returns by how much the weights of each mode were tuned; 1 is not at all.
 */
export async function publishGame(gameFolder: string, { modes, seed }: GameInput): Promise<PublishedFactor[]> {
  const mathFolder = join(gameFolder, 'math');
  await rm(mathFolder, { recursive: true, force: true });
  const played = modes.map((mode, place) => ({
    name: mode.name,
    cost: MODE_COST_HUNDREDTHS[mode.name] / 100,
    ...outcomesOf(mode, seed * STREAMS_PER_SEED + (place + 1) * STREAMS_PER_MODE),
  }));
  await publishMath(
    mathFolder,
    played.map(({ name, cost, outcomes }) => ({ name, cost, books: booksOf(outcomes) })),
  );
  await writeFile(join(gameFolder, 'game.json'), `${JSON.stringify(gameSettings, null, 2)}\n`);
  return played.map(({ name, factor }) => ({ name, factor: Number(factor.numerator) / Number(factor.denominator) }));
}
