import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { momentsOf, NORMAL, samplesOutside, type Table } from '../../../test/support/payoutDraw.ts';
import { evidenceAgainst, roundsToSee, rtpInterval, theoryOf } from './bounds.ts';

/** Its RTP is 96 %, its standard deviation 2.7. */
const CALM: Table = new Map([
  [0, 640n],
  [100, 200n],
  [200, 100n],
  [500, 40n],
  [1_800, 20n],
]);
/**
 * Its RTP is 96 %, its standard deviation 40: a third of the RTP comes from a payout of 5,000 bets
 * once in 15,625 rounds.
 */
const HEAVY: Table = new Map([
  [0, 779_186n],
  [100, 125_000n],
  [250, 80_000n],
  [2_000, 15_750n],
  [500_000, 64n],
]);

const theoryOfTable = (table: Table) => theoryOf('1', momentsOf(table));

const UNIT = 1_000_000n;

describe('the interval of 99.9 %', () => {
  it.each([
    ['a calm table', CALM, 300, 6_000],
    ['a heavy-tailed table', HEAVY, 1_000, 6_000],
    ['a heavy-tailed table', HEAVY, 20_000, 400],
  ] as const)('holds the RTP of %s', (_, table, rounds, samples) => {
    const outside = samplesOutside(table, theoryOfTable(table), { samples, rounds });
    expect(outside.bound).toBeLessThanOrEqual(samples / 1_000);
    // This is why the z-score alone decides nothing.
    if (table === HEAVY && rounds === 1_000) expect(outside.normal).toBeGreaterThan(samples / 250);
  });

  it('is at most a third wider than that of the normal distribution when the rounds are many', () => {
    for (const [table, rounds] of [
      [CALM, 1e6],
      [HEAVY, 1e9],
    ] as const) {
      const theory = theoryOfTable(table);
      const bets = BigInt(rounds) * UNIT;
      const paid = { payouts: (bets * 96n) / 100n, betSquares: bets * UNIT, maxBet: UNIT };
      const { low, high } = rtpInterval({ rounds: BigInt(rounds), bets, ...paid }, theory, 0.999);
      const normal = NORMAL * Math.sqrt(theory.variance / rounds);
      for (const width of [theory.rtp - low, high - theory.rtp]) {
        expect(width).toBeGreaterThan(normal);
        expect(width).toBeLessThan(normal * 1.34);
      }
    }
  });
});

describe('the rounds that a deviation of one point takes', () => {
  const precision = { confidence: 0.999, deviation: 0.01 };
  const sumsOf = (rounds: number, sizes: bigint[] = [UNIT]) => {
    const times = BigInt(rounds / sizes.length);
    const sum = (value: (size: bigint) => bigint) => sizes.reduce((total, size) => total + times * value(size), 0n);
    const maxBet = sizes.at(-1) as bigint;
    return {
      ...{ rounds: BigInt(rounds), payouts: 0n, maxBet },
      ...{ bets: sum((size) => size), betSquares: sum((size) => size * size) },
    };
  };

  it.each([
    ['a calm table', CALM, [UNIT]],
    ['a heavy-tailed table', HEAVY, [UNIT]],
    ['bets of two sizes', CALM, [UNIT, 20n * UNIT]],
  ] as [string, Table, bigint[]][])('of %s make the interval one point wide to its wider side', (_, table, sizes) => {
    const theory = theoryOfTable(table);
    const needed = roundsToSee(sumsOf(1_000, sizes), theory, precision);
    const even = 2 * Math.ceil(needed / 2);
    const { low, high } = rtpInterval(sumsOf(even, sizes), theory, 0.999);
    expect(Math.max(theory.rtp - low, high - theory.rtp)).toBeCloseTo(0.01, 6);
    // The number stays the same, however many rounds there are.
    expect(roundsToSee(sumsOf(even, sizes), theory, precision) / needed).toBeCloseTo(1, 4);
  });

  it('are those of bets of one size before the first round, and none for a table that never pays', () => {
    const theory = theoryOfTable(CALM);
    const none = { ...sumsOf(0), maxBet: 0n };
    expect(roundsToSee(none, theory, precision) / roundsToSee(sumsOf(10), theory, precision)).toBeCloseTo(1, 6);
    expect(roundsToSee(none, theoryOfTable(new Map([[0, 5n]])), precision)).toBe(0);
  });
});

it('mean, variance, hit rate and maximum are those of a bet of 1, whatever the mode costs', () => {
  const { moments } = theoryOfTable(CALM);
  const dear = theoryOf('2.5', moments);
  const plain = theoryOf('1', moments);
  expect(plain).toMatchObject({ rtp: 0.96, hitRate: 0.36, max: 18 });
  expect(plain.variance).toBeCloseTo(0.2 + 0.4 + 1 + 6.48 - 0.96 ** 2, 12);
  expect(dear.rtp).toBeCloseTo(plain.rtp / 2.5, 14);
  expect(dear.variance).toBeCloseTo(plain.variance / 6.25, 12);
  expect(dear.thirdMoment).toBeCloseTo(plain.thirdMoment / 15.625, 10);
});

describe('the evidence against a table', () => {
  it('hardly depends on the unit of the currency', () => {
    const theory = theoryOfTable(CALM);
    const at = (unit: bigint, percent: bigint) => {
      const bets = 10_000n * unit;
      const sums = { rounds: 10_000n, bets, payouts: (bets * percent) / 100n, betSquares: bets * unit, maxBet: unit };
      return Math.log10(evidenceAgainst(sums, theory));
    };
    fc.assert(
      fc.property(fc.bigInt({ min: 1_000n, max: 10n ** 12n }), fc.bigInt({ min: 80n, max: 112n }), (unit, percent) => {
        const [here, there] = [at(1_000_000n, percent), at(unit, percent)];
        expect(Math.abs(there - here)).toBeLessThan(0.5 + 0.15 * Math.abs(here));
      }),
    );
  });
});
