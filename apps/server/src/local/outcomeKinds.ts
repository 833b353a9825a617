import { type OutcomeKind, parseDecimal } from '@roundhouse/contract';
import type { BookFacts, MathMode } from '@roundhouse/math';

export type PricedBooks = { costMultiplier: string; math: Pick<MathMode, 'books' | 'bookCount'> };

export type BookTest = (book: BookFacts) => boolean;

/** The least payout of a big win, in multiples of the cost of the bet. */
const BIG_WIN_COSTS = 10n;
/** When no win is big, the best tenth of the winning books counts as big. */
const BEST_WINS = 10;
/** The longest hundredth of all books counts as long. */
const LONGEST = 100;

/** Tests whether a book is of this kind. It reads every book, which takes 0.1 s for 1,000,000. */
export function testOfKind(kind: OutcomeKind, mode: PricedBooks): BookTest {
  return TESTS[kind](mode);
}

/** The table is total by its type: a new kind without a test does not compile. */
const TESTS: Readonly<Record<OutcomeKind, (mode: PricedBooks) => BookTest>> = {
  loss: () => (book) => !wins(book),
  small: (mode) => {
    const limit = costOf(mode);
    return (book) => wins(book) && book.payoutMultiplier * limit.scale <= limit.hundredths;
  },
  big: (mode) => {
    const cost = costOf(mode);
    const isBig: BookTest = ({ payoutMultiplier }) => payoutMultiplier * cost.scale >= cost.hundredths * BIG_WIN_COSTS;
    return countOf(booksThat(mode, isBig)) > 0 ? isBig : bestWins(mode);
  },
  max: (mode) => {
    const [highest] = bestPayouts(mode);
    return ({ payoutMultiplier }) => payoutMultiplier === highest?.payout;
  },
  feature: longestBooks,
};

function wins({ payoutMultiplier }: BookFacts): boolean {
  return payoutMultiplier > 0n;
}

/** Returns the cost in hundredths, as payouts are, times a scale that makes it whole. */
function costOf({ costMultiplier }: PricedBooks): { hundredths: bigint; scale: bigint } {
  const cost = parseDecimal(costMultiplier);
  if (cost === undefined) throw new RangeError(`the cost "${costMultiplier}" is not a plain decimal`);
  return { hundredths: cost.digits * 100n, scale: 10n ** BigInt(cost.scale) };
}

/** Books of one payout are all among the best, or none is. */
function bestWins(mode: PricedBooks): BookTest {
  const payouts = bestPayouts(mode);
  const winners = payouts.reduce((sum, { books }) => sum + books, 0);
  let best = 0;
  const worst = payouts.find(({ books }) => {
    best += books;
    return best * BEST_WINS >= winners;
  });
  return ({ payoutMultiplier }) => worst !== undefined && payoutMultiplier >= worst.payout;
}

/** Returns the payouts of the winning books, highest first, and how many books have each. */
function bestPayouts(mode: PricedBooks): { payout: bigint; books: number }[] {
  const counts = new Map<bigint, number>();
  for (const { payoutMultiplier } of booksThat(mode, wins)) {
    counts.set(payoutMultiplier, (counts.get(payoutMultiplier) ?? 0) + 1);
  }
  return [...counts]
    .map(([payout, books]) => ({ payout, books }))
    .sort((left, right) => (left.payout < right.payout ? 1 : -1));
}

function longestBooks(mode: PricedBooks): BookTest {
  const sizes = new Float64Array(mode.math.bookCount);
  let count = 0;
  for (const { eventBytes } of booksThat(mode, () => true)) {
    sizes[count] = eventBytes;
    count += 1;
  }
  const ascending = sizes.subarray(0, count).sort();
  const shortest = ascending[count - Math.max(1, Math.floor(count / LONGEST))];
  return ({ eventBytes }) => shortest !== undefined && eventBytes >= shortest;
}

/** Skips books without a weight: no draw in a game takes them. */
function* booksThat({ math }: PricedBooks, test: BookTest): IterableIterator<BookFacts> {
  for (const book of math.books()) if (book.weight > 0n && test(book)) yield book;
}

function countOf(books: Iterable<unknown>): number {
  let count = 0;
  for (const _ of books) count += 1;
  return count;
}
