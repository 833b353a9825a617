import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { OutcomeKind } from '@roundhouse/contract';
import { openMath, publishMath, type WeightedBook } from '@roundhouse/math';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type BooksOfMode, bookOfKind } from './forcedOutcomes.ts';

type Row = { pays: number; weight?: number; words?: number };

/** A mode of books with ids from 100 on; `pays` in hundredths, `words` of events. */
async function modeOf(rows: readonly Row[], cost = 1): Promise<BooksOfMode> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-kinds-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const books = rows.map(
    ({ pays, weight = 1, words = 1 }, row): WeightedBook => ({
      id: 100 + row,
      payoutMultiplier: pays,
      weight,
      events: Array.from({ length: words }, () => 'word'),
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

/** The rows of the books that come for a kind. One in 10^17 runs misses one of them. */
function rowsFor(mode: BooksOfMode, kind: OutcomeKind): (number | undefined)[] {
  const found = new Set<number | undefined>();
  for (let attempt = 0; attempt < 40 * mode.math.bookCount; attempt += 1) {
    const book = bookOfKind(mode, kind);
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
    // A cost that is no whole number of hundredths: 0.333 pays 33 and not 34.
    ['small', [33, 34], 0.333, [0]],
    ['big', [0, 999, 1000, 5000], 1, [2, 3]],
    ['big', [1249, 1250], 1.25, [1]],
    ['max', [0, 5000, 20, 5000], 1, [1, 3]],
  ])('%s of payouts %j at a cost of %d', async (kind, payouts, cost, rows) => {
    expect(rowsFor(await modeOf(pays(...payouts), cost), kind)).toEqual(rows);
  });

  it('where no win is ten times the cost, big is the best tenth of the winning books, with all of one payout', async () => {
    const losses = Array.from({ length: 30 }, () => ({ pays: 0 }));
    const wins = Array.from({ length: 20 }, (_, win) => ({ pays: 10 + win }));
    expect(rowsFor(await modeOf([...losses, ...wins]), 'big')).toEqual([48, 49]);
    expect(rowsFor(await modeOf(pays(0, 10, 50, 50, 50)), 'big')).toEqual([2, 3, 4]);
  });

  it('feature is the longest hundredth, and at least one', async () => {
    const rows = Array.from({ length: 200 }, (_, row) => ({
      pays: 0,
      words: row === 7 || row === 120 ? 90 : 1 + (row % 9),
    }));
    const books = await modeOf(rows);
    const found = new Set(Array.from({ length: 80 }, () => bookOfKind(books, 'feature')?.bookID));
    expect(found).toEqual(new Set([107, 220]));
    expect(rowsFor(await modeOf([{ pays: 0 }, { pays: 0, words: 2 }, { pays: 0 }]), 'feature')).toEqual([1]);
  });

  it('a book without a weight is of no kind', async () => {
    const mode = await modeOf([
      { pays: 0, weight: 0 },
      { pays: 50, weight: 0 },
      { pays: 200 },
      { pays: 90_000, weight: 0, words: 50 },
    ]);
    for (const kind of ['max', 'big', 'feature'] as const) expect(rowsFor(mode, kind)).toEqual([2]);
    for (const kind of ['loss', 'small'] as const) expect(rowsFor(mode, kind)).toEqual([undefined]);
  });
});

it('without a winning book there is a loss and a longest book, and no other kind', async () => {
  const mode = await modeOf(pays(0, 0));
  expect(rowsFor(mode, 'loss')).toEqual([0, 1]);
  expect(rowsFor(mode, 'feature')).toEqual([0, 1]);
  for (const kind of ['small', 'big', 'max'] as const) expect(bookOfKind(mode, kind)).toBeUndefined();
});
