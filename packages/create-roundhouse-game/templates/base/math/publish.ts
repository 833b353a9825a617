/**
 * Makes the math. `npm run math` publishes it for `npm run dev`. With a folder as its argument, as
 * in `npm run build`, it makes a game folder there: game.json and math/.
 */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  progressBar,
  publishMath,
  type SeededRandom,
  seededRandom,
  selectRounds,
  simulate,
  tuneWeights,
} from '@roundhouse/math';
import type { Mode } from './mode.ts';
import { MODES, SAMPLE } from './modes.ts';
import { type PlayedRound, simulate as playRound } from './round.ts';

/** A game with one mode need not read which it is. */
const play: (random: SeededRandom, mode: string) => PlayedRound = playRound;

/** A different `stream` gives different rounds. */
async function makeMode(name: string, { cost, ...targets }: Mode, stream: number) {
  const payouts = await simulate({
    module: new URL('./round.ts', import.meta.url),
    mode: name,
    rounds: SAMPLE.rounds,
    stream,
    onProgress: progressBar(name),
  });
  // Rounds that pay alike share books; rare ones keep all of theirs. Each is played again for its
  // events.
  const books = selectRounds(payouts, SAMPLE.books).map(({ round, weight }, place) => ({
    id: place + 1,
    weight,
    ...play(seededRandom({ stream, round }), name),
  }));
  const tuned = tuneWeights(books, { cost, ...targets });
  console.log(`${name}: ${books.length} books`);
  console.log(row('simulated', tuned.before));
  console.log(row('tuned', tuned.after));
  return { name, cost, books: tuned.books };
}

const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
const row = (label: string, { rtp, hitRate, maxWin, maxWinOneIn }: ReturnType<typeof tuneWeights>['after']) =>
  `  ${label.padEnd(10)} RTP ${percent(rtp)}, hit rate ${percent(hitRate)}, maximum ${Number(maxWin) / 100}× once in ${Math.round(maxWinOneIn)}`;

const made = [];
for (const [place, [name, mode]] of Object.entries<Mode>(MODES).entries()) {
  made.push(await makeMode(name, mode, place + 1));
}
const [gameFolder] = process.argv.slice(2);
const mathFolder = gameFolder === undefined ? 'publish_files' : join(gameFolder, 'math');
await publishMath(mathFolder, made);
if (gameFolder !== undefined) await copyFile('game.json', join(gameFolder, 'game.json'));
