import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { simulateSync } from '@roundhouse/math';
import { describe, expect, it } from 'vitest';
import { MODE_COST_HUNDREDTHS, WIN_CAP_HUNDREDTHS } from '../rules.ts';
import { type Mode, PUBLISHED_MODES } from './modes.ts';
import { outcomesOf } from './outcomes.ts';
import { type Book, booksOf } from './publishGame.ts';
import { eventsByHand } from './rulesByHand.ts';
import { simulate } from './simulate.ts';

/** The test publishes the modes with fewer samples and books, by this factor. */
const TIMES_LESS = 150;
const SMALL_MODES: readonly Mode[] = PUBLISHED_MODES.map(({ name, parts }) => ({
  name,
  parts: parts.map((part) => ({
    ...part,
    sampledRounds: Math.ceil(part.sampledRounds / TIMES_LESS),
    books: Math.ceil(part.books / TIMES_LESS),
  })),
}));

async function booksFrom(mode: Mode, firstStream: number): Promise<Book[]> {
  const { outcomes } = await outcomesOf(mode, firstStream, (part, sample) => {
    return simulateSync(simulate, { mode: part, ...sample });
  });
  return [...booksOf(outcomes)];
}

function hashOf(books: readonly Book[]): string {
  const text = JSON.stringify(books, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
  return createHash('sha256').update(text).digest('hex');
}

const SMALL_GAME = await Promise.all(SMALL_MODES.map(async (mode) => ({ mode, books: await booksFrom(mode, 100) })));

describe.each(SMALL_GAME)('books of $mode.name', ({ mode, books }) => {
  it('have the events that the rules give for their boards', () => {
    // This compares without vitest first: vitest takes longer to report on thousands of equal books
    // than all else here.
    const differing = books.find(({ events }) => !isDeepStrictEqual(events, eventsByHand(boardsOf(events))));
    if (differing !== undefined) expect(differing.events).toEqual(eventsByHand(boardsOf(differing.events)));
  });

  it('pay what their last event says, and no more than the cap', () => {
    for (const { payoutMultiplier, events } of books) {
      expect(events.at(-1)).toMatchObject({ type: 'finalWin', amount: payoutMultiplier });
      expect(payoutMultiplier).toBeLessThanOrEqual(WIN_CAP_HUNDREDTHS);
    }
  });

  it('have the criteria that fit their events', () => {
    for (const { criteria, events, payoutMultiplier } of books) {
      const types = new Set(events.map(({ type }) => type));
      expect(types.has('freeSpinTrigger')).toBe(criteria === 'freeSpins' || criteria === 'winCap');
      expect(types.has('winCap')).toBe(criteria === 'winCap');
      if (criteria === 'noWin' || criteria === 'lineWin') expect(payoutMultiplier > 0).toBe(criteria === 'lineWin');
    }
    if (mode.name === 'BONUS') expect(books.some(({ criteria }) => criteria === 'lineWin')).toBe(false);
  });

  it('return exactly 96 %', () => {
    const paid = books.reduce((sum, { weight, payoutMultiplier }) => sum + weight * BigInt(payoutMultiplier), 0n);
    const weight = books.reduce((sum, book) => sum + book.weight, 0n);
    expect(paid * 100n).toBe(weight * BigInt(MODE_COST_HUNDREDTHS[mode.name]) * 96n);
    expect(books.filter((book) => book.weight <= 0n)).toEqual([]);
  });

  it('are the same from the same streams of random numbers, and others from others', async () => {
    expect(hashOf(await booksFrom(mode, 100))).toBe(hashOf(books));
    expect(hashOf(await booksFrom(mode, 200))).not.toBe(hashOf(books));
  });

  it('are numbered from 1', () => {
    expect(books.map(({ id }) => id)).toEqual(books.map((_, place) => place + 1));
  });
});

function boardsOf(events: Book['events']) {
  return events.flatMap((event) => (event.type === 'reveal' ? [event.board] : []));
}
