import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openMath } from '@roundhouse/math';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { benchBooks } from './generate.ts';
import { BOOKS_NAME, publishBenchBooks } from './publish.ts';

const BOOKS = 1_000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-bench-books-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('the books are about 4 KB long, differ, and are the same at every call', () => {
  const texts = [...benchBooks(BOOKS)].map(({ book }) => book);
  expect([...benchBooks(BOOKS)].map(({ book }) => book)).toEqual(texts);
  const bytes = texts.reduce((sum, text) => sum + text.length, 0) / BOOKS;
  expect(bytes).toBeGreaterThan(3_500);
  expect(bytes).toBeLessThan(4_500);
  const events = new Set(texts.map((text) => JSON.stringify(JSON.parse(text).events)));
  expect(events.size).toBe(BOOKS);
});

test('their wins add up to what the book and its row pay', () => {
  for (const { book, row } of benchBooks(BOOKS)) {
    const { id, payoutMultiplier, events } = JSON.parse(book);
    const wins = events.filter(({ type }: { type: string }) => type === 'winInfo');
    expect(wins.reduce((sum: number, { totalWin }: { totalWin: number }) => sum + totalWin, 0)).toBe(payoutMultiplier);
    expect(row).toMatch(new RegExp(`^${id},[1-9]\\d*,${payoutMultiplier}$`));
  }
});

test('the published folder loads, and packs like the books of real games', async () => {
  const published = path.join(folder, 'math');
  await publishBenchBooks(published, BOOKS);
  const outcome = await openMath({ folder: published, storeFolder: path.join(folder, 'store') });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  const mode = outcome.value.modes.get('BASE');
  expect(mode?.bookCount).toBe(BOOKS);
  let eventBytes = 0;
  for (const book of mode?.books() ?? []) eventBytes += book.eventBytes;
  await outcome.value.close();
  const { size } = await stat(path.join(published, BOOKS_NAME));
  // Published games that we have seen are 10 to 11 times as large unpacked.
  expect(eventBytes / size).toBeGreaterThan(8);
  expect(eventBytes / size).toBeLessThan(13);
});
