import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tuneWeights } from './tuneWeights.ts';

const BOOKS = [
  { id: 1, payoutMultiplier: 0, weight: 700 },
  { id: 2, payoutMultiplier: 90, weight: 200 },
  { id: 3, payoutMultiplier: 250, weight: 90 },
  { id: 4, payoutMultiplier: 5000, weight: 10 },
];

function figuresOf(books: readonly { payoutMultiplier: number; weight: number }[]) {
  const sum = (value: (payout: bigint) => bigint): bigint =>
    books.reduce((total, { payoutMultiplier, weight }) => total + value(BigInt(payoutMultiplier)) * BigInt(weight), 0n);
  return { total: sum(() => 1n), paid: sum((payout) => payout), hits: sum((payout) => (payout > 0n ? 1n : 0n)) };
}

describe('tuneWeights', () => {
  it('gives books the weights that meet the targets, and leaves the rest of them', () => {
    const { books, before, after } = tuneWeights(BOOKS, { cost: 1.25, rtp: 0.5, hitRate: 0.25, maxWinOneIn: 1000 });
    expect(books.map(({ id, payoutMultiplier }) => [id, payoutMultiplier])).toEqual(
      BOOKS.map(({ id, payoutMultiplier }) => [id, payoutMultiplier]),
    );
    const { total, hits } = figuresOf(books);
    expect(Number(hits) / Number(total)).toBeCloseTo(0.25, 9);
    expect(Number(books[3]?.weight) / Number(total)).toBeCloseTo(0.001, 9);
    expect(before.rtp).toBeCloseTo((200 * 0.9 + 90 * 2.5 + 10 * 50) / 1000 / 1.25, 12);
    expect(after.rtp).toBeCloseTo(0.5, 12);
  });

  // Payouts are in tenths and targets in percent, as games have them.
  it('meets the RTP to the last digit', () => {
    const book = fc.record({
      payoutMultiplier: fc.integer({ min: 0, max: 100_000 }).map((tenths) => tenths * 10),
      weight: fc.integer({ min: 1, max: 1_000_000 }),
    });
    fc.assert(
      fc.property(
        fc.array(book, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 50, max: 99 }),
        fc.constantFrom(1, 1.25, 100),
        (more, percent, cost) => {
          const { books } = tuneWeights([...BOOKS, { payoutMultiplier: 1_000_000, weight: 1 }, ...more], {
            cost,
            rtp: percent / 100,
          });
          const { total, paid } = figuresOf(books);
          expect(paid * 100n).toBe(total * BigInt(cost * 100) * BigInt(percent));
          expect(books.every(({ weight }) => Number.isSafeInteger(weight) && weight > 0)).toBe(true);
        },
      ),
      // The distances of no two payouts from this mean have the divisor that all of them share.
      { examples: [[[{ payoutMultiplier: 0, weight: 1 }], 60, 1.25]] },
    );
  });

  it('throws what the payouts do allow', () => {
    expect(() => tuneWeights(BOOKS, { cost: 1, rtp: 60 })).toThrow(RangeError);
    expect(() => tuneWeights(BOOKS, { cost: 1, rtp: 60 })).toThrow(/out of reach.*RTPs above .* and below 5000/);
  });
});
