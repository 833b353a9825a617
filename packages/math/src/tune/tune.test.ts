import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modeStatistics } from '../statistics/statistics.ts';
import type { TunableMode } from '../types.ts';
import { type TunedMode, tuneMode } from './tune.ts';
import type { TuneTargets } from './tuneTargets.ts';

type Row = [weight: number, payout: number];

function modeOf(cost: number, rows: readonly Row[]): TunableMode {
  const distinctPayouts = [...new Set(rows.map(([, payout]) => BigInt(payout)))].sort((a, b) => (a < b ? -1 : 1));
  let totalWeight = 0n;
  const cumulative = BigUint64Array.from(rows, ([weight]) => {
    totalWeight += BigInt(weight);
    return totalWeight;
  });
  const payoutIndexes = Uint32Array.from(rows, ([, payout]) => distinctPayouts.indexOf(BigInt(payout)));
  return {
    cost: String(cost),
    bookCount: rows.length,
    totalWeight,
    distinctPayouts,
    *books() {
      for (const [position, [weight, payout]] of rows.entries()) {
        yield { position, bookID: position, payoutMultiplier: BigInt(payout), weight: BigInt(weight), eventBytes: 2 };
      }
    },
    statistics: () =>
      modeStatistics(
        { cumulative, payoutIndexes, distinctPayouts: BigUint64Array.from(distinctPayouts) },
        String(cost),
      ),
  };
}

function tuned(mode: TunableMode, targets: TuneTargets): TunedMode {
  const outcome = tuneMode(mode, targets);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.value;
}

/** Computes the numbers of a table anew, with whole numbers until the last division. */
function figures(rows: readonly Row[], weights: BigUint64Array, cost: number) {
  const sum = (value: (row: Row, weight: bigint) => bigint): bigint =>
    rows.reduce((total, row, index) => total + value(row, weights[index] as bigint), 0n);
  const total = sum((_, weight) => weight);
  const greatest = Math.max(...rows.filter(([weight]) => weight > 0).map(([, payout]) => payout));
  const per = (value: bigint): number => Number((value * 10n ** 18n) / total) / 1e18;
  const mean = per(sum(([, payout], weight) => weight * BigInt(payout)));
  return {
    rtp: mean / cost / 100,
    standardDeviation:
      Math.sqrt(per(sum(([, payout], weight) => weight * BigInt(payout) ** 2n)) - mean ** 2) / cost / 100,
    hitRate: per(sum(([, payout], weight) => (payout > 0 ? weight : 0n))),
    maxWinOneIn: 1 / per(sum(([, payout], weight) => (payout === greatest ? weight : 0n))),
  };
}

const TABLE: Row[] = [
  [700, 0],
  [150, 100],
  [100, 250],
  [0, 900_000],
  [40, 250],
  [9, 2000],
  [1, 50_000],
];

describe('tuneMode', () => {
  it.each<[TuneTargets]>([
    [{ rtp: 0.9 }],
    [{ rtp: 0.94 }],
    [{ rtp: 0.97 }],
    [{ rtp: 0.97, hitRate: 0.25 }],
    [{ rtp: 0.97, maxWinOneIn: 1_000_000 }],
    [{ rtp: 0.965, hitRate: 0.35, maxWinOneIn: 250_000 }],
    [{ rtp: 0.96, standardDeviation: 5 }],
    [{ rtp: 0.96, standardDeviation: 15 }],
    [{ rtp: 0.96, hitRate: 0.3, standardDeviation: 2.5 }],
    [{ rtp: 0.965, hitRate: 0.35, maxWinOneIn: 250_000, standardDeviation: 2.7 }],
  ])('meets %j', (targets) => {
    const { weights, after } = tuned(modeOf(1, TABLE), targets);
    const found = figures(TABLE, weights, 1);
    expect(found.rtp).toBeCloseTo(targets.rtp, 12);
    expect(found.hitRate).toBeCloseTo(targets.hitRate ?? found.hitRate, 9);
    expect(found.maxWinOneIn / (targets.maxWinOneIn ?? found.maxWinOneIn)).toBeCloseTo(1, 6);
    expect(found.standardDeviation / (targets.standardDeviation ?? found.standardDeviation)).toBeCloseTo(1, 6);
    expect(after.rtp).toBeCloseTo(targets.rtp, 12);
    expect(weights[3]).toBe(0n);
  });

  it('changes nothing when the table meets the target', () => {
    const even: Row[] = [
      [1, 0],
      [1, 200],
    ];
    const { weights, divergenceBits, smallestChange, largestChange } = tuned(modeOf(1, even), { rtp: 1 });
    expect(weights[0]).toBe(weights[1]);
    expect([divergenceBits, smallestChange, largestChange].map((value) => value.toFixed(9))).toEqual([
      '0.000000000',
      '1.000000000',
      '1.000000000',
    ]);
  });

  // Among all weights with the same RTP, the relative entropy is smallest where the logarithm of
  // the change is a linear function of the payout.
  it('changes the probabilities the least that any table with its RTP does', () => {
    const row = fc.tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 100_000 }));
    const tables = fc.record({
      rows: fc.uniqueArray(row, { minLength: 2, maxLength: 12, selector: ([, payout]) => payout }),
      losses: fc.integer({ min: 1, max: 1_000_000 }),
      share: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
      cost: fc.constantFrom(1, 1.25, 100),
    });
    fc.assert(
      fc.property(tables, ({ rows, losses, share, cost }) => {
        const table: Row[] = [[losses, 0], ...rows.sort(([, a], [, b]) => a - b)];
        const mode = modeOf(cost, table);
        const greatest = Math.max(...rows.map(([, payout]) => payout));
        // It lies between the published RTP and either end of what the payouts allow.
        const { rtp: published } = mode.statistics();
        const rtp = Number(
          (share < 0.5
            ? published * 2 * share
            : published + (greatest / cost / 100 - published) * (share - 0.5)
          ).toPrecision(9),
        );
        const { weights } = tuned(mode, { rtp });
        expect(figures(table, weights, cost).rtp / rtp).toBeCloseTo(1, 9);
        // A correction of the RTP adds up to 100,000 to a weight: with smaller weights it shows.
        const points = table.flatMap(([weight, payout], index) => {
          const tunedWeight = Number(weights[index]);
          return tunedWeight > 1e10 ? [{ payout, log: Math.log(tunedWeight / weight) }] : [];
        });
        const [first, last] = [points[0], points.at(-1)] as [(typeof points)[0], (typeof points)[0]];
        const slope = (last.log - first.log) / (last.payout - first.payout || 1);
        for (const { payout, log } of points) expect(log).toBeCloseTo(first.log + slope * (payout - first.payout), 4);
      }),
    );
  });

  // Where the second moment is also given, the logarithm of the change is a quadratic function.
  it('changes the probabilities the least that any table with its volatility does', () => {
    const { weights } = tuned(modeOf(1, TABLE), { rtp: 0.9, standardDeviation: 3 });
    const logOf = (row: number) => Math.log(Number(weights[row]) / (TABLE[row] as Row)[0]);
    const [zero, one, two, twenty, most] = [0, 1, 2, 5, 6].map((row) => [(TABLE[row] as Row)[1] / 100, logOf(row)]);
    const slope = ([x, y]: number[] = [], [u, v]: number[] = []) =>
      ((v as number) - (y as number)) / ((u as number) - (x as number));
    const bend = (a?: number[], b?: number[], c?: number[]) =>
      (slope(b, c) - slope(a, b)) / ((c?.[0] as number) - (a?.[0] as number));
    expect(bend(one, two, twenty)).toBeCloseTo(bend(zero, one, two), 6);
    expect(bend(two, twenty, most)).toBeCloseTo(bend(zero, one, two), 6);
    expect(logOf(4)).toBeCloseTo(logOf(2), 9);
  });

  // With this RTP the two payouts around the mean give the least, the two ends the most.
  it('meets each volatility between the least and the most that the payouts allow', () => {
    const rows: Row[] = [
      [70, 0],
      [20, 200],
      [9, 500],
      [1, 10_000],
    ];
    const [least, most] = [Math.sqrt(0.96 * 2 - 0.96 ** 2), Math.sqrt(0.96 * 100 - 0.96 ** 2)];
    for (const share of [0.001, 0.1, 0.5, 0.9, 0.999]) {
      const standardDeviation = least + share * (most - least);
      const { weights } = tuned(modeOf(1, rows), { rtp: 0.96, standardDeviation });
      expect(figures(rows, weights, 1).standardDeviation).toBeCloseTo(standardDeviation, 5);
    }
    for (const standardDeviation of [least - 0.001, most + 0.001]) {
      expect(tuneMode(modeOf(1, rows), { rtp: 0.96, standardDeviation })).toEqual({
        ok: false,
        reason:
          `a standard deviation of ${standardDeviation} is out of reach: with this RTP the table allows standard ` +
          `deviations above ${least.toPrecision(6)} and below ${most.toPrecision(6)}`,
      });
    }
  });

  it.each<[string, Row[], TuneTargets, RegExp]>([
    ['an RTP that is no number', TABLE, { rtp: Number.NaN }, /the RTP must be a number above 0/],
    ['an RTP of zero', TABLE, { rtp: 0 }, /the RTP must be a number above 0/],
    ['a hit rate of 1', TABLE, { rtp: 0.9, hitRate: 1 }, /the hit rate must be a number between 0 and 1, not 1/],
    ['odds below 1', TABLE, { rtp: 0.9, maxWinOneIn: 0.5 }, /1 in a number above 1, not 0.5/],
    [
      'targets that contradict each other',
      TABLE,
      { rtp: 0.9, hitRate: 0.01, maxWinOneIn: 50 },
      /maximum win alone, 1 in 50/,
    ],
    ['an RTP above every payout', TABLE, { rtp: 500 }, /allows RTPs above 0.0*[^ ]* % and below 50000/],
    ['an RTP that the odds exceed alone', TABLE, { rtp: 0.9, maxWinOneIn: 100 }, /with these odds of the maximum win/],
    [
      'one distinct payout',
      [
        [5, 120],
        [7, 120],
      ],
      { rtp: 0.96 },
      /the table allows only 120.000 %/,
    ],
    [
      'a volatility of zero',
      TABLE,
      { rtp: 0.9, standardDeviation: 0 },
      /the standard deviation must be a number above 0, not 0/,
    ],
    [
      'a volatility that the other targets leave no room for',
      TABLE,
      { rtp: 0.9, hitRate: 0.3, maxWinOneIn: 1e6, standardDeviation: 90 },
      /with this RTP and this hit rate and these odds of the maximum win the table allows standard deviations above/,
    ],
    [
      'a volatility where two payouts have one',
      [
        [5, 0],
        [5, 200],
      ],
      { rtp: 1, standardDeviation: 1.5 },
      /with this RTP the table allows only 1.00000$/,
    ],
    ['no payout at all', [[5, 0]], { rtp: 0.96 }, /no book with a weight above zero pays anything/],
    [
      'a hit rate where every book pays',
      [
        [5, 50],
        [7, 120],
      ],
      { rtp: 0.96, hitRate: 0.5 },
      /so the hit rate is 1/,
    ],
  ])('refuses %s', (_, rows, targets, reason) => {
    expect(tuneMode(modeOf(1, rows), targets)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });
});
