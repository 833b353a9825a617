import { type SeededRandom, seededRandom } from '@roundhouse/math';
import { BASE_STRIPS, everyStop, type Stops } from './reels.ts';
import { baseRound, freeSpinsRound, type Round, triggersFreeSpins } from './round.ts';

export type Book = Round & { id: number; weight: bigint };

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
const RETURN_PERCENT = 96n;

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
    if (!triggersFreeSpins(stops)) return [{ ...baseRound(stops), weight: BigInt(FREE_SPINS_PER_BOARD) }];
    return Array.from({ length: FREE_SPINS_PER_BOARD }, () => ({ ...freeSpinsRound(stops, random), weight: 1n }));
  });
}

function bonusBooks(random: SeededRandom): Unnumbered[] {
  const triggering = [...everyStop(BASE_STRIPS)].filter(triggersFreeSpins);
  return Array.from({ length: BONUS_BOOKS }, () => ({
    ...freeSpinsRound(oneOf(triggering, random), random),
    weight: 1n,
  }));
}

type Unnumbered = Omit<Book, 'id'>;

function mode(name: string, cost: number, books: Unnumbered[]): Mode {
  const meanPayoutHundredths = BigInt(cost) * RETURN_PERCENT;
  return {
    name,
    cost,
    books: tuned(books, { meanPayoutHundredths }).map((book, place) => ({ id: place + 1, ...book })),
  };
}

function oneOf(stops: readonly Stops[], random: SeededRandom): Stops {
  const chosen = stops[random.below(stops.length)];
  if (chosen === undefined) throw new RangeError('no board triggers free spins');
  return chosen;
}

export type Weighed = {
  payoutMultiplier: number;
  weight: bigint;
};

/** A fraction, so that the target is exact. */
export type ReturnTarget = {
  /** Cost of the mode times the return to player, in hundredths of the base bet. */
  meanPayoutHundredths: bigint;
};

/**
 * Weights with which the mean payout is the target to the last digit, no rounding anywhere.
 *
 * The books that pay less than the target keep their weights, those that pay the target or more are
 * scaled by one factor k. From (k·A + a) / (k·W + w) = target, with W and A the sum of weights and
 * of weight × payout of the books that pay more, and w and a those of the books that pay less:
 * k = (target·w − a) / (A − target·W). Both sides of the fraction become the weights' multipliers.
 */
export function tuned<Book extends Weighed>(books: readonly Book[], { meanPayoutHundredths }: ReturnTarget): Book[] {
  const { less, more } = tuningFactors(books, meanPayoutHundredths);
  if (less <= 0n || more <= 0n)
    throw new RangeError('no weights give this mean payout: all books pay less, or all more');
  return books.map((book) => ({ ...book, weight: book.weight * (paysLess(book, meanPayoutHundredths) ? less : more) }));
}

/** `more / less` is k, in lowest terms. */
export function tuningFactors(books: readonly Weighed[], target: bigint): { less: bigint; more: bigint } {
  let less = 0n;
  let more = 0n;
  for (const book of books) {
    const distance = book.weight * (BigInt(book.payoutMultiplier) - target);
    if (paysLess(book, target)) more -= distance;
    else less += distance;
  }
  const shared = greatestCommonDivisor(less, more);
  return shared === 0n ? { less, more } : { less: less / shared, more: more / shared };
}

function paysLess(book: Weighed, target: bigint): boolean {
  return BigInt(book.payoutMultiplier) < target;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
