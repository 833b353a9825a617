import path from 'node:path';
import type { OutcomeKind } from '@roundhouse/contract';
import { openMath, publishMath, type WeightedBook } from '@roundhouse/math';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/support/roundhouse.ts';
import { type BookWish, eventTypesOf, findAnyBook, findBooks, type SearchedMode } from './bookSearch.ts';

type Row = { pays: number; weight?: number; words?: number; types?: string[] };

/** Makes books with ids from 100 on; `pays` in hundredths, `words` or `types` of events. */
async function modeOf(rows: readonly Row[], cost = 1): Promise<SearchedMode> {
  const folder = await temporaryFolder('kinds');
  const books = rows.map(
    ({ pays, weight = 1, words = 1, types }, row): WeightedBook => ({
      id: 100 + row,
      payoutMultiplier: pays,
      weight,
      events: types?.map((type) => ({ type })) ?? Array.from({ length: words }, () => 'word'),
    }),
  );
  await publishMath(folder, [{ name: 'base', cost, books }]);
  const outcome = await openMath({ folder, storeFolder: path.join(folder, 'store') });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
  const { value } = outcome;
  onTestFinished(() => value.close());
  const math = value.modes.get('BASE');
  if (math === undefined) throw new Error('the mode is not there');
  return { costMultiplier: math.cost, math };
}

/** Returns the rows of the books that come for a kind. One in 10^17 runs misses one of them. */
async function rowsFor(mode: SearchedMode, kind: OutcomeKind): Promise<(number | undefined)[]> {
  const found = new Set<number | undefined>();
  for (let attempt = 0; attempt < 40 * mode.math.bookCount; attempt += 1) {
    const book = await findAnyBook(mode, { kind });
    found.add(book && book.bookID - 100);
    if (book) expect(book.position).toBe(book.bookID - 100);
  }
  return [...found].sort((left, right) => (left ?? -1) - (right ?? -1));
}

const pays = (...hundredths: number[]): Row[] => hundredths.map((payout) => ({ pays: payout }));

describe('which books are of a kind', () => {
  it.each<[OutcomeKind, number[], number, number[]]>([
    ['loss', [0, 10, 0, 500], 1, [0, 2]],
    ['small', [0, 10, 100, 101], 1, [1, 2]],
    ['small', [0, 125, 126], 1.25, [1]],
    // A cost need not be a whole number of hundredths: 0.333 pays 33 and not 34.
    ['small', [33, 34], 0.333, [0]],
    ['big', [0, 999, 1000, 5000], 1, [2, 3]],
    ['big', [1249, 1250], 1.25, [1]],
    ['max', [0, 5000, 20, 5000], 1, [1, 3]],
  ])('%s of payouts %j at a cost of %d', async (kind, payouts, cost, rows) => {
    expect(await rowsFor(await modeOf(pays(...payouts), cost), kind)).toEqual(rows);
  });

  it('where no win is ten times the cost, big is the best tenth of the winning books, with all of one payout', async () => {
    const losses = Array.from({ length: 30 }, () => ({ pays: 0 }));
    const wins = Array.from({ length: 20 }, (_, win) => ({ pays: 10 + win }));
    expect(await rowsFor(await modeOf([...losses, ...wins]), 'big')).toEqual([48, 49]);
    expect(await rowsFor(await modeOf(pays(0, 10, 50, 50, 50)), 'big')).toEqual([2, 3, 4]);
  });

  it('feature is the longest hundredth, and at least one', async () => {
    const rows = Array.from({ length: 200 }, (_, row) => ({
      pays: 0,
      words: row === 7 || row === 120 ? 90 : 1 + (row % 9),
    }));
    const books = await modeOf(rows);
    const found = await Promise.all(Array.from({ length: 80 }, () => findAnyBook(books, { kind: 'feature' })));
    expect(new Set(found.map((book) => book?.bookID))).toEqual(new Set([107, 220]));
    expect(await rowsFor(await modeOf([{ pays: 0 }, { pays: 0, words: 2 }, { pays: 0 }]), 'feature')).toEqual([1]);
  });

  it('a book without a weight is of no kind', async () => {
    const mode = await modeOf([
      { pays: 0, weight: 0 },
      { pays: 50, weight: 0 },
      { pays: 200 },
      { pays: 90_000, weight: 0, words: 50 },
    ]);
    for (const kind of ['max', 'big', 'feature'] as const) expect(await rowsFor(mode, kind)).toEqual([2]);
    for (const kind of ['loss', 'small'] as const) expect(await rowsFor(mode, kind)).toEqual([undefined]);
  });
});

it('without a winning book there is a loss and a longest book, and no other kind', async () => {
  const mode = await modeOf(pays(0, 0));
  expect(await rowsFor(mode, 'loss')).toEqual([0, 1]);
  expect(await rowsFor(mode, 'feature')).toEqual([0, 1]);
  for (const kind of ['small', 'big', 'max'] as const) expect(await findAnyBook(mode, { kind })).toBeUndefined();
});

describe('a search', () => {
  /** The rows are base spins, except a feature at rows 3 and 4. */
  const rows: Row[] = [
    { pays: 0, types: ['reveal', 'end'] },
    { pays: 1500, types: ['reveal', 'win', 'end'] },
    { pays: 200, types: ['reveal', 'win', 'win', 'end'] },
    { pays: 1500, types: ['reveal', 'bonus', ...Array.from({ length: 40 }, () => 'win'), 'end'] },
    { pays: 0, types: ['reveal', 'bonus', ...Array.from({ length: 40 }, () => 'win'), 'end'] },
    { pays: 1500, weight: 0, types: ['reveal', 'win', 'end'] },
    { pays: 90, types: ['reveal', 'win', 'end'] },
  ];
  const found = async (wish: BookWish, after = 0) =>
    (await findBooks(await modeOf(rows), wish, { after })).books.map(({ bookID }) => bookID - 100);

  it.each<[BookWish, number[]]>([
    [{}, [0, 1, 2, 3, 4, 6]],
    [{ payout: { from: 0.9, to: 2 } }, [2, 6]],
    [{ payout: { from: 15 } }, [1, 3]],
    [{ with: ['win'] }, [1, 2, 3, 4, 6]],
    [{ with: ['win', 'bonus'] }, [3, 4]],
    [{ with: ['wi'] }, []],
    [{ without: ['win'] }, [0]],
    [{ kind: 'big' }, [1, 3]],
    [{ kind: 'big', feature: false }, [1]],
    [{ kind: 'loss', feature: false, with: ['reveal'] }, [0]],
  ])('for %j finds the books that can be drawn', async (wish, expected) => {
    expect(await found(wish)).toEqual(expected);
  });

  it('shows payout and events, and goes on where it ended', async () => {
    const mode = await modeOf(rows);
    const first = await findBooks(mode, { with: ['win'] }, { after: 0, limit: 2 });
    expect(first.books[1]).toEqual({
      bookID: 102,
      payoutMultiplier: 2,
      events: [
        { type: 'reveal', count: 1 },
        { type: 'win', count: 2 },
        { type: 'end', count: 1 },
      ],
    });
    const rest = await findBooks(mode, { with: ['win'] }, { after: first.next ?? 0 });
    expect([rest.books.map(({ bookID }) => bookID - 100), rest.next]).toEqual([[3, 4, 6], null]);
  });

  it('ends when its time is over, and says where', async () => {
    expect(await findBooks(await modeOf(rows), {}, { after: 2, budgetMs: -1 })).toEqual({ books: [], next: 2 });
  });

  it('knows the events of the feature by the longest books', async () => {
    const types = await eventTypesOf(await modeOf(rows));
    expect(types.map(({ type, isFeature }) => [type, isFeature])).toEqual([
      ['reveal', false],
      ['end', false],
      ['win', false],
      ['bonus', true],
    ]);
    expect(types.at(-1)?.share).toBeCloseTo(2 / 6);
  });
});
