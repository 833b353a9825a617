import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishMath, seededRandom } from '@roundhouse/math';
import { type BookEvent, MODE_COST_HUNDREDTHS, type ModeName, WIN_CAP_HUNDREDTHS } from '../rules.ts';
import { gameSettings } from './gameSettings.ts';
import type { Mode } from './modes.ts';
import { inputOf, type Outcome, outcomesOf, type Sampler } from './outcomes.ts';
import { playRound } from './round.ts';

/** How many streams of random numbers a seed has, and how many of these a mode has. */
const STREAMS_PER_SEED = 1000;
export const STREAMS_PER_MODE = 100;

type GameInput = { readonly modes: readonly Mode[]; readonly seed: number; readonly sample: Sampler };

type PlayedMode = { readonly name: ModeName; readonly outcomes: readonly Outcome[]; readonly factor: number };

type Criteria = 'noWin' | 'lineWin' | 'freeSpins' | 'winCap';

export type Book = {
  readonly id: number;
  readonly payoutMultiplier: number;
  readonly criteria: Criteria;
  readonly events: BookEvent[];
  readonly weight: bigint;
};

/**
 * Replaces `math/` and `game.json` in `gameFolder`, and nothing else there. The same modes and seed
 * give the same bytes. Returns the outcomes of each mode, book n at position n − 1, and by how much
 * their weights were tuned; 1 is not at all.
 */
export async function publishGame(gameFolder: string, { modes, seed, sample }: GameInput): Promise<PlayedMode[]> {
  const played = [];
  for (const [place, mode] of modes.entries()) {
    const firstStream = seed * STREAMS_PER_SEED + (place + 1) * STREAMS_PER_MODE;
    const { outcomes, factor } = await outcomesOf(mode, firstStream, sample);
    played.push({ name: mode.name, cost: MODE_COST_HUNDREDTHS[mode.name] / 100, outcomes, factor });
  }
  await publishMath(
    join(gameFolder, 'math'),
    played.map(({ name, cost, outcomes }) => ({ name, cost, books: booksOf(outcomes) })),
  );
  await writeFile(join(gameFolder, 'game.json'), `${JSON.stringify(gameSettings, null, 2)}\n`);
  return played.map(({ name, outcomes, factor }) => {
    return { name, outcomes, factor: Number(factor.numerator) / Number(factor.denominator) };
  });
}

/** A generator, because all books together take hundreds of megabytes. */
export function* booksOf(outcomes: Iterable<Outcome>): Generator<Book> {
  let id = 0;
  for (const outcome of outcomes) yield bookOf(outcome, ++id);
}

/** Plays the round of the outcome again. */
export function bookOf({ part, stream, round, payoutMultiplier, weight }: Outcome, id: number): Book {
  const events: BookEvent[] = [];
  const paid = playRound({
    ...inputOf(part),
    random: seededRandom({ stream, round }),
    record: (event) => events.push({ index: events.length, ...event }),
  });
  if (paid !== payoutMultiplier) throw new Error(`round ${round} of stream ${stream} pays ${paid} when played again`);
  return { id, payoutMultiplier, criteria: criteriaOf(events, paid), events, weight };
}

function criteriaOf(events: readonly BookEvent[], paid: number): Criteria {
  if (paid === WIN_CAP_HUNDREDTHS) return 'winCap';
  if (events.some(({ type }) => type === 'freeSpinTrigger')) return 'freeSpins';
  return paid > 0 ? 'lineWin' : 'noWin';
}
