import { randomInt } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BookEventType, FindBooksRequest, FoundBook } from '@roundhouse/contract';
import type { DrawnBook, MathMode } from '@roundhouse/math';
import { type BookTest, type PricedBooks, testOfKind } from './outcomeKinds.ts';

/** The search can read the books of this mode. */
export type SearchedMode = PricedBooks & { math: Pick<MathMode, 'books' | 'bookCount' | 'readEvents'> };

export type BookWish = Pick<FindBooksRequest, 'kind' | 'feature' | 'payout' | 'with' | 'without'>;

export type FoundBooks = {
  books: FoundBook[];
  /** The search goes on at this position; null after the last book. */
  next: number | null;
};

type SearchLimits = {
  /** Positions before it are skipped. */
  after: number;
  limit?: number | undefined;
  /** The search ends after this time, wherever it is. */
  budgetMs?: number;
};

const BUDGET_MS = 1_500;
const ANY_BUDGET_MS = 5_000;
/** Other requests wait no longer than this. A book of 20 KB is read and parsed in about 0.1 ms. */
const SLICE_MS = 10;
const DEFAULT_LIMIT = 20;
const HUNDREDTHS = 100;

/**
 * Finds the books that can be drawn and match the wish, in the order of publication. Other requests
 * are served meanwhile.
 */
export async function findBooks(
  mode: SearchedMode,
  wish: BookWish,
  { after, limit = DEFAULT_LIMIT, budgetMs = BUDGET_MS }: SearchLimits,
): Promise<FoundBooks> {
  const fits = await testOf(mode, wish);
  const books: FoundBook[] = [];
  const isLate = stopwatch(budgetMs);
  const pause = slices();
  for (const book of mode.math.books()) {
    if (book.position < after) continue;
    if (books.length === limit || isLate()) return { books, next: book.position };
    const events = fits.facts(book) && fits.events(mode.math.readEvents(book.position));
    if (events) books.push(shown(book, events));
    await pause();
  }
  return { books, next: null };
}

/**
 * Returns a random book that matches the wish; undefined when there is none, or none was found in
 * time.
 */
export async function findAnyBook(mode: SearchedMode, wish: BookWish): Promise<DrawnBook | undefined> {
  const fits = await testOf(mode, wish);
  const candidates: DrawnBook[] = [];
  const isLate = stopwatch(ANY_BUDGET_MS);
  const pause = slices();
  for (const book of mode.math.books()) {
    const { position, bookID, payoutMultiplier } = book;
    if (fits.facts(book)) candidates.push({ position, bookID, payoutMultiplier });
    await pause();
  }
  // The last candidate replaces each one that is drawn, so no candidate comes twice.
  while (candidates.length > 0 && !isLate()) {
    const place = randomInt(candidates.length);
    const [book, last] = [candidates[place], candidates.pop()];
    if (book === undefined || last === undefined) break;
    if (book !== last) candidates[place] = last;
    if (!fits.readsEvents || fits.events(mode.math.readEvents(book.position))) return book;
    await pause();
  }
  return undefined;
}

type WishTest = {
  facts: BookTest;
  /** Returns the types of the events when they match the wish. */
  events: (bytes: Buffer) => Map<string, number> | undefined;
  /** When false, the events of any book match. */
  readsEvents: boolean;
};

async function testOf(mode: SearchedMode, wish: BookWish): Promise<WishTest> {
  const { kind, payout: { from, to } = {}, feature } = wish;
  const isOfKind = kind === undefined ? () => true : testOfKind(kind, mode);
  const least = from === undefined ? undefined : hundredthsOf(from);
  const most = to === undefined ? undefined : hundredthsOf(to);
  const wanted = wish.with ?? [];
  const features = feature === false ? (await eventTypesOf(mode)).filter((each) => each.isFeature) : [];
  const unwanted = [...(wish.without ?? []), ...features.map(({ type }) => type)];
  return {
    facts: (book) =>
      book.weight > 0n &&
      (least === undefined || book.payoutMultiplier >= least) &&
      (most === undefined || book.payoutMultiplier <= most) &&
      isOfKind(book),
    events(bytes) {
      // This test rules out most books without parsing them.
      if (wanted.some((type) => !bytes.includes(JSON.stringify(type)))) return undefined;
      const types = typesIn(bytes);
      return wanted.every((type) => types.has(type)) && !unwanted.some((type) => types.has(type)) ? types : undefined;
    },
    readsEvents: wanted.length + unwanted.length > 0,
  };
}

function hundredthsOf(multiplier: number): bigint {
  return BigInt(Math.round(multiplier * HUNDREDTHS));
}

function shown({ bookID, payoutMultiplier }: DrawnBook, types: Map<string, number>): FoundBook {
  const events = [...types].map(([type, count]) => ({ type, count }));
  return { bookID, payoutMultiplier: Number(payoutMultiplier) / HUNDREDTHS, events };
}

/** Counts each type, in the order of the events. Events without a type are not counted. */
function typesIn(bytes: Buffer): Map<string, number> {
  const counts = new Map<string, number>();
  const events: unknown = JSON.parse(bytes.toString());
  for (const event of Array.isArray(events) ? events : []) {
    const { type } = (event ?? {}) as { type?: unknown };
    if (typeof type === 'string') counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}

const SAMPLE = 400;
/** A type of a feature is in this share of the longest books, and in at most half of all. */
const FEATURE_SHARE = 0.8;
const COMMON_SHARE = 0.5;

const knownTypes = new WeakMap<object, Promise<BookEventType[]>>();

/**
 * Finds the types of events in a sample of the mode's books, the most frequent first. A type
 * belongs to a feature when nearly all of the longest books have it and most books do not. One
 * result is kept per mode.
 */
export function eventTypesOf(mode: SearchedMode): Promise<BookEventType[]> {
  const known = knownTypes.get(mode.math);
  if (known !== undefined) return known;
  const types = sampleTypes(mode);
  knownTypes.set(mode.math, types);
  return types;
}

async function sampleTypes(mode: SearchedMode): Promise<BookEventType[]> {
  const all = await positionsOf(mode);
  const long = await positionsOf(mode, testOfKind('feature', mode));
  const inAll = await sharesIn(mode, spread(all));
  const inLong = await sharesIn(mode, spread(long));
  return [...new Set([...inAll.keys(), ...inLong.keys()])]
    .map((type) => {
      const share = inAll.get(type) ?? 0;
      return { type, share, isFeature: share <= COMMON_SHARE && (inLong.get(type) ?? 0) >= FEATURE_SHARE };
    })
    .sort((left, right) => right.share - left.share);
}

async function positionsOf({ math }: SearchedMode, test: BookTest = () => true): Promise<number[]> {
  const positions: number[] = [];
  const pause = slices();
  for (const book of math.books()) {
    if (book.weight > 0n && test(book)) positions.push(book.position);
    await pause();
  }
  return positions;
}

/** Returns a sample of the positions, evenly spread. */
function spread(positions: readonly number[]): number[] {
  const step = Math.max(1, positions.length / SAMPLE);
  const places = Array.from({ length: Math.min(SAMPLE, positions.length) }, (_, index) => Math.floor(index * step));
  return places.flatMap((place) => positions[place] ?? []);
}

/** Returns the share of these books in which each type comes, from 0 to 1. */
async function sharesIn({ math }: SearchedMode, positions: readonly number[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const pause = slices();
  for (const position of positions) {
    for (const type of typesIn(math.readEvents(position)).keys()) counts.set(type, (counts.get(type) ?? 0) + 1);
    await pause();
  }
  return new Map([...counts].map(([type, count]) => [type, count / positions.length]));
}

function stopwatch(ms: number): () => boolean {
  const endMs = performance.now() + ms;
  return () => performance.now() > endMs;
}

/** Lets others work when a slice of time is over. */
function slices(): () => Promise<void> | undefined {
  let isOver = stopwatch(SLICE_MS);
  return () => {
    if (!isOver()) return undefined;
    return nextTurn().then(() => {
      isOver = stopwatch(SLICE_MS);
    });
  };
}
