import { randomInt } from 'node:crypto';
import { type OutcomeKind, parseDecimal } from '@roundhouse/contract';
import type { BookFacts, DrawnBook, MathMode } from '@roundhouse/math';
import type { GameMode } from '../games/catalogue.ts';
import type { SessionFacts } from '../ledger/queries/sessions.ts';
import type { Draw } from '../play/play.ts';

/** A draw whose next outcomes can be forced. For local work only. */
export type ForcedOutcomes = Draw & {
  /** The next play of the session in this mode takes this book, once. */
  force(session: SessionFacts, mode: GameMode, book: DrawnBook): void;
};

export function createForcedOutcomes(draw: Draw): ForcedOutcomes {
  const forced = new Map<string, DrawnBook>();
  const keyOf = (session: SessionFacts, mode: GameMode) => `${session.sessionRowID}/${mode.key}`;
  return {
    force: (session, mode, book) => {
      forced.set(keyOf(session, mode), book);
    },
    next(session, mode) {
      const key = keyOf(session, mode);
      const book = forced.get(key);
      if (book === undefined) return draw.next(session, mode);
      forced.delete(key);
      return { book, release: () => void (forced.has(key) || forced.set(key, book)) };
    },
  };
}

export type BooksOfMode = { costMultiplier: string; math: Pick<MathMode, 'books' | 'bookCount'> };

type BookTest = (book: BookFacts) => boolean;

/** A big win is at least so many times what the bet costs. */
const BIG_WIN_COSTS = 10n;
/** Where no win is big, the best tenth of the winning books are. */
const BEST_WINS = 10;
/** The longest hundredth of all books. */
const LONGEST = 100;

/**
 * One of the mode's books of this kind, each as likely as the others; undefined when it has none.
 * Of those that can be drawn. For local work: it looks at every book, which takes a fraction of a
 * second for 1,000,000.
 */
export function bookOfKind(mode: BooksOfMode, kind: OutcomeKind): DrawnBook | undefined {
  const isOfKind = TESTS[kind](mode);
  const count = countOf(booksThat(mode, isOfKind));
  if (count === 0) return undefined;
  let skipped = randomInt(count);
  for (const { position, bookID, payoutMultiplier } of booksThat(mode, isOfKind)) {
    if (skipped === 0) return { position, bookID, payoutMultiplier };
    skipped -= 1;
  }
  return undefined;
}

/** Total by its type: a new kind without a test does not compile. */
const TESTS: Readonly<Record<OutcomeKind, (mode: BooksOfMode) => BookTest>> = {
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

/** The cost in hundredths, as payouts are, times a scale that makes it whole. */
function costOf({ costMultiplier }: BooksOfMode): { hundredths: bigint; scale: bigint } {
  const cost = parseDecimal(costMultiplier);
  if (cost === undefined) throw new RangeError(`the cost "${costMultiplier}" is not a plain decimal`);
  return { hundredths: cost.digits * 100n, scale: 10n ** BigInt(cost.scale) };
}

/** Books of one payout are all of them among the best, or none is. */
function bestWins(mode: BooksOfMode): BookTest {
  const payouts = bestPayouts(mode);
  const winners = payouts.reduce((sum, { books }) => sum + books, 0);
  let best = 0;
  const worst = payouts.find(({ books }) => {
    best += books;
    return best * BEST_WINS >= winners;
  });
  return ({ payoutMultiplier }) => worst !== undefined && payoutMultiplier >= worst.payout;
}

/** The payouts of the winning books, from the highest on, and how many books have each. */
function bestPayouts(mode: BooksOfMode): { payout: bigint; books: number }[] {
  const counts = new Map<bigint, number>();
  for (const { payoutMultiplier } of booksThat(mode, wins)) {
    counts.set(payoutMultiplier, (counts.get(payoutMultiplier) ?? 0) + 1);
  }
  return [...counts]
    .map(([payout, books]) => ({ payout, books }))
    .sort((left, right) => (left.payout < right.payout ? 1 : -1));
}

function longestBooks(mode: BooksOfMode): BookTest {
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

/** A book without a weight never comes in a game, and so never here. */
function* booksThat({ math }: BooksOfMode, test: BookTest): IterableIterator<BookFacts> {
  for (const book of math.books()) if (book.weight > 0n && test(book)) yield book;
}

function countOf(books: Iterable<unknown>): number {
  let count = 0;
  for (const _ of books) count += 1;
  return count;
}
