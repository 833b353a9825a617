import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { eventsByHand } from '../test/playByHand.ts';
import { readmeRules } from '../test/readmeRules.ts';
import { type Book, type Mode, sampleModes } from './books.ts';
import { WIN_CAP_HUNDREDTHS } from './paytable.ts';
import type { BookEvent } from './round.ts';

const modes = sampleModes();
const rules = readmeRules();

describe('the modes', () => {
  it('are a base game and a bonus that costs a hundred bets, a few thousand books each', () => {
    expect(modes.map(({ name, cost, books }) => [name, cost, books.length])).toEqual([
      ['base', 1, 5966],
      ['bonus', 100, 5000],
    ]);
  });

  it('are the same books from the same seed, and others from another', () => {
    expect(isDeepStrictEqual(sampleModes(), modes)).toBe(true);
    expect(isDeepStrictEqual(sampleModes(1), modes)).toBe(false);
  });

  it('are the books of version 1.1.0, which never change', () => {
    expect(createHash('sha256').update(JSON.stringify(modes)).digest('hex')).toBe(
      'a7ac767993011726f0dca77abbf92bf56e674cfc4daac1501fffcfddedc1d7cd',
    );
  });

  it('win in base more often than one round in five', () => {
    const base = modeNamed('base');
    const winning = base.books.filter(({ payoutMultiplier }) => payoutMultiplier > 0);
    expect(weightOf(winning) * 5n).toBeGreaterThan(weightOf(base.books));
  });
});

describe.each(modes)('the books of $name', ({ cost, books }) => {
  it('return exactly 96 % of the price', () => {
    const paid = books.reduce((sum, book) => sum + BigInt(book.weight) * BigInt(book.payoutMultiplier), 0n);
    expect(paid).toBe(weightOf(books) * BigInt(cost) * 96n);
  });

  it('tell what a person with the README reads from where the reels stopped', () => {
    // Compared without vitest first: vitest takes longer to report on ten thousand equal books than
    // all else here.
    const differing = books.find(({ events }) => !isDeepStrictEqual(events, eventsByHand(stopsOf(events), rules)));
    if (differing !== undefined) expect(differing.events).toEqual(eventsByHand(stopsOf(differing.events), rules));
  });

  it('pay what their last event says', () => {
    const last = books.map(({ events }) => events.at(-1));
    expect(last).toEqual(
      books.map(({ events, payoutMultiplier }) => ({
        index: events.length - 1,
        type: 'finalWin',
        amount: payoutMultiplier,
      })),
    );
  });

  it('play all free spins, unless the win cap ends them', () => {
    expect(books.filter((book) => !isWholeRound(book, stopsOf(book.events).length - 1))).toEqual([]);
  });

  it('pay in steps of a tenth of the bet, up to the win cap and no more', () => {
    expect(books.filter(({ payoutMultiplier }) => payoutMultiplier % 10 !== 0)).toEqual([]);
    expect(Math.max(...books.map(({ payoutMultiplier }) => payoutMultiplier))).toBe(WIN_CAP_HUNDREDTHS);
  });

  it('reach the win cap more often than once in a million', () => {
    const capped = books.filter(({ criteria }) => criteria === 'winCap');
    expect(weightOf(capped) * 1_000_000n).toBeGreaterThan(weightOf(books));
  });

  it('are numbered from 1 and all can be drawn', () => {
    expect(books.map(({ id }) => id)).toEqual(books.map((_, place) => place + 1));
    expect(books.filter(({ weight }) => weight <= 0)).toEqual([]);
  });
});

function modeNamed(name: string): Mode {
  const found = modes.find((mode) => mode.name === name);
  if (found === undefined) throw new Error(`no mode ${name}`);
  return found;
}

function weightOf(books: readonly Book[]): bigint {
  return books.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
}

function stopsOf(events: readonly BookEvent[]): (readonly number[])[] {
  return events.flatMap((event) => (event.type === 'reveal' ? [event.stops] : []));
}

function isWholeRound({ criteria }: Book, freeSpins: number): boolean {
  if (criteria === 'winCap') return freeSpins >= 1 && freeSpins <= 10;
  return freeSpins === (criteria === 'freeSpins' ? 10 : 0);
}
