/**
 * Makes the math. `npm run math` publishes it for `npm run dev`. With a folder as its argument, as
 * in `npm run build`, it makes a game folder there: game.json and math/.
 */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { progressBar, publishMath, seededRandom, selectRounds, simulate, tuneWeights } from '@roundhouse/math';
import { simulate as playRound } from './round.ts';
import { TARGETS } from './targets.ts';

const MODE = 'BASE';
const COST = 1;
/** Another stream gives other rounds. */
const STREAM = 1;
const ROUNDS = 200_000;
const BOOKS = 10_000;

const payouts = await simulate({
  module: new URL('./round.ts', import.meta.url),
  mode: MODE,
  rounds: ROUNDS,
  stream: STREAM,
  onProgress: progressBar(MODE),
});

// Rounds that pay alike share books; rare ones keep all of theirs. Each is played again for its
// events.
const books = selectRounds(payouts, BOOKS).map(({ round, weight }, place) => ({
  id: place + 1,
  weight,
  ...playRound(seededRandom({ stream: STREAM, round })),
}));
const tuned = tuneWeights(books, { cost: COST, ...TARGETS });

const [gameFolder] = process.argv.slice(2);
const mathFolder = gameFolder === undefined ? 'publish_files' : join(gameFolder, 'math');
await publishMath(mathFolder, [{ name: MODE, cost: COST, books: tuned.books }]);
if (gameFolder !== undefined) await copyFile('game.json', join(gameFolder, 'game.json'));

const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
const row = (label: string, { rtp, hitRate, maxWin, maxWinOneIn }: typeof tuned.after) =>
  `  ${label.padEnd(12)} RTP ${percent(rtp)}, hit rate ${percent(hitRate)}, maximum ${Number(maxWin) / 100}× once in ${Math.round(maxWinOneIn)}`;
console.log(`${MODE}: ${books.length} books in ${mathFolder}`);
console.log(row('by the reels', tuned.before));
console.log(row('tuned', tuned.after));
