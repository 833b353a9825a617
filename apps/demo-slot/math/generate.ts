import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MathPackage, simulate } from '@roundhouse/math';
import { GAME_VERSION, STATISTICS_FILE } from '../rules.ts';
import { PUBLISHED_MODES } from './modes.ts';
import { openPublished } from './openPublished.ts';
import { publishGame } from './publishGame.ts';
import { publishSmallEdition, SMALL_VERSION } from './smallEdition.ts';
import { statisticsOf, writeStatistics } from './statisticsFile.ts';

/** The best of the first four seeds: the weights need the least tuning, half a percent at most. */
const SEED = 3;

/** The small edition takes so many of 100,000 books: 2 MB in place of 84. */
const SMALL_BOOKS_PER_MODE = 2000;

// The compiler puts this file into build/math/.
const gameFolder = fileURLToPath(new URL('../../dist/', import.meta.url));

const module = new URL('./simulate.js', import.meta.url);
const factors = await publishGame(gameFolder, {
  modes: PUBLISHED_MODES,
  seed: SEED,
  sample: (part, rounds) => simulate({ module, mode: part, ...rounds }),
});
for (const { name, factor } of factors) console.log(`${name}: weights tuned by ${factor.toFixed(5)}`);
console.log(`Aurora Line written to ${gameFolder}`);

const smallFolder = join(gameFolder, 'small');
await withMath(gameFolder, async (math) => {
  await writeStatistics(join(gameFolder, 'public', STATISTICS_FILE), statisticsOf(math, GAME_VERSION));
  await publishSmallEdition(math, { into: smallFolder, booksPerMode: SMALL_BOOKS_PER_MODE });
});
// Both editions have one front end. The copy of it that serves the small edition gets this file.
await withMath(smallFolder, (math) =>
  writeStatistics(join(smallFolder, 'frontend', STATISTICS_FILE), statisticsOf(math, SMALL_VERSION)),
);

async function withMath(folder: string, use: (math: MathPackage) => Promise<void>): Promise<void> {
  const { math, close } = await openPublished(folder);
  await use(math).finally(close);
}
