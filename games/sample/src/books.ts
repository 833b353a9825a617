import { type SeededRandom, seededRandom, tuneWeights } from '@roundhouse/math';
import { BASE_STRIPS, everyStop, type Stops } from './reels.ts';
import { baseRound, freeSpinsRound, type Round, triggersFreeSpins } from './round.ts';

export type Book = Round & { id: number; weight: number };

export type Mode = {
  name: string;
  cost: number;
  books: Book[];
};

/**
 * The best of the first hundred seeds: both modes have a round that reaches the win cap, and the
 * weights need the least tuning.
 */
const SEED = 77;
const RTP = 0.96;

/** Free spins are random, so each board that triggers them is played out this often. */
const FREE_SPINS_PER_BOARD = 40;
const BONUS_BOOKS = 5000;

export function sampleModes(seed: number = SEED): Mode[] {
  const random = seededRandom({ stream: 0, round: seed });
  return [mode('base', 1, baseBooks(random)), mode('bonus', 100, bonusBooks(random))];
}

/**
 * Every stop of the base reels is equally likely; the books of one triggering board share its
 * weight.
 */
function baseBooks(random: SeededRandom): Unnumbered[] {
  return [...everyStop(BASE_STRIPS)].flatMap((stops) => {
    if (!triggersFreeSpins(stops)) return [{ ...baseRound(stops), weight: FREE_SPINS_PER_BOARD }];
    return Array.from({ length: FREE_SPINS_PER_BOARD }, () => ({ ...freeSpinsRound(stops, random), weight: 1 }));
  });
}

function bonusBooks(random: SeededRandom): Unnumbered[] {
  const triggering = [...everyStop(BASE_STRIPS)].filter(triggersFreeSpins);
  return Array.from({ length: BONUS_BOOKS }, () => ({
    ...freeSpinsRound(oneOf(triggering, random), random),
    weight: 1,
  }));
}

type Unnumbered = Omit<Book, 'id'>;

function mode(name: string, cost: number, books: Unnumbered[]): Mode {
  const tuned = tuneWeights(books, { cost, rtp: RTP });
  return { name, cost, books: tuned.books.map((book, place) => ({ id: place + 1, ...book })) };
}

function oneOf(stops: readonly Stops[], random: SeededRandom): Stops {
  const chosen = stops[random.below(stops.length)];
  if (chosen === undefined) throw new RangeError('no board triggers free spins');
  return chosen;
}
