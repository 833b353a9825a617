import { modeStatistics } from '../statistics/statistics.ts';
import type { TunableMode } from '../types.ts';
import { type TunedMode, tuneMode } from './tune.ts';
import type { TuneTargets } from './tuneTargets.ts';

/** `payoutMultiplier` is in hundredths of the base bet; both are whole numbers from 0. */
type Weighted = { readonly payoutMultiplier: number; readonly weight: number };

/** `cost` is that of the mode in base bets. */
export type WeightTargets = TuneTargets & { cost: number };

export type TunedBooks<Book> = Omit<TunedMode, 'weights'> & { books: Book[] };

/**
 * Returns the books with the weights that meet the targets and change the given ones the least, as
 * `tuneMode` finds them. Throws RangeError when the payouts do not allow the targets; its message
 * says what they do allow.
 */
export function tuneWeights<Book extends Weighted>(
  books: readonly Book[],
  { cost, ...targets }: WeightTargets,
): TunedBooks<Book> {
  const outcome = tuneMode(modeOf(books, cost), targets);
  if (!outcome.ok) throw new RangeError(outcome.reason);
  const { weights, ...figures } = outcome.value;
  return { ...figures, books: books.map((book, place) => ({ ...book, weight: Number(weights[place]) })) };
}

/** Shows books in memory as tuning reads a published mode. */
function modeOf(books: readonly Weighted[], cost: number): TunableMode {
  const payouts = books.map(({ payoutMultiplier }) => BigInt(payoutMultiplier));
  const distinctPayouts = [...new Set(payouts)].sort((a, b) => (a < b ? -1 : 1));
  const placeOf = new Map(distinctPayouts.map((payout, place) => [payout, place]));
  const payoutIndexes = Uint32Array.from(payouts, (payout) => placeOf.get(payout) as number);
  let totalWeight = 0n;
  const cumulative = BigUint64Array.from(books, ({ weight }) => {
    totalWeight += BigInt(weight);
    return totalWeight;
  });
  return {
    cost: String(cost),
    bookCount: books.length,
    totalWeight,
    distinctPayouts,
    *books() {
      for (const [position, { weight }] of books.entries()) {
        const payoutMultiplier = payouts[position] as bigint;
        yield { position, bookID: position, payoutMultiplier, weight: BigInt(weight), eventBytes: 0 };
      }
    },
    statistics: () =>
      modeStatistics(
        { cumulative, payoutIndexes, distinctPayouts: BigUint64Array.from(distinctPayouts) },
        String(cost),
      ),
  };
}
