import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModeRows } from '../read/storeFiles.ts';
import { modeStatistics } from './statistics.ts';

type Row = { weight: bigint; payout: bigint };

function rowsOf(rows: readonly Row[]): ModeRows {
  const payouts = [...new Set(rows.map((row) => row.payout))].sort((a, b) => (a < b ? -1 : 1));
  let sum = 0n;
  return {
    offsets: new Float64Array(rows.length + 1),
    ids: Float64Array.from(rows.keys()),
    cumulative: BigUint64Array.from(rows, ({ weight }) => {
      sum += weight;
      return sum;
    }),
    payoutIndexes: Uint32Array.from(rows, ({ payout }) => payouts.indexOf(payout)),
    distinctPayouts: BigUint64Array.from(payouts),
  };
}

const handChecked: Row[] = [
  { weight: 5n, payout: 0n },
  { weight: 3n, payout: 100n },
  { weight: 0n, payout: 90_000n },
  { weight: 2n, payout: 335n },
];

describe('modeStatistics', () => {
  it('gives what is computed by hand', () => {
    // The mean is (3 × 1 + 2 × 3.35) ÷ 10 = 0.97; that of squares (3 + 2 × 11.2225) ÷ 10 = 2.5445.
    const statistics = modeStatistics(rowsOf(handChecked), '1');
    expect(statistics).toMatchObject({
      rtp: 0.97,
      hitRate: 0.5,
      maxWin: 335n,
      maxWinOneIn: 5,
      medianPayout: 0n,
      distinctPayouts: 4,
      zeroWeightRows: 1,
      payoutsOffStep: 1,
    });
    expect(statistics.standardDeviation).toBeCloseTo(Math.sqrt(2.5445 - 0.97 ** 2), 14);
    // The sums are 3 × 100 + 2 × 335, 3 × 100² + 2 × 335², 3 × 100³ + 2 × 335³; the row without a
    // weight counts nowhere.
    const sums = { sum: 970n, sumOfSquares: 254_450n, sumOfCubes: 78_190_750n };
    expect(statistics.moments).toEqual({ totalWeight: 10n, hitWeight: 5n, max: 335n, ...sums });
  });

  it('relates the return and its spread to the cost, exactly', () => {
    const statistics = modeStatistics(rowsOf(handChecked), '1.25');
    expect(statistics.rtp).toBe(0.776);
    expect(statistics.standardDeviation).toBeCloseTo(Math.sqrt(2.5445 - 0.97 ** 2) / 1.25, 14);
  });

  it('takes as median the smallest payout that half of the rounds do not exceed', () => {
    const median = (rows: Row[]): bigint => modeStatistics(rowsOf(rows), '1').medianPayout;
    expect(
      median([
        { weight: 1n, payout: 10n },
        { weight: 1n, payout: 20n },
      ]),
    ).toBe(10n);
    expect(
      median([
        { weight: 1n, payout: 10n },
        { weight: 2n, payout: 20n },
      ]),
    ).toBe(20n);
    expect(
      median([
        { weight: 3n, payout: 50n },
        { weight: 2n, payout: 10n },
        { weight: 1n, payout: 0n },
      ]),
    ).toBe(10n);
  });

  it('sorts payouts into buckets at their borders', () => {
    const payouts = [0n, 1n, 99n, 100n, 199n, 200n, 500_000n];
    const { histogram } = modeStatistics(rowsOf(payouts.map((payout) => ({ weight: 1n, payout }))), '1');
    const inSevenths = histogram.map(({ from, to, probability }) => [from, to, Math.round(probability * 7)]);
    expect(inSevenths.slice(0, 4)).toEqual([
      [0, 0, 1],
      [0, 1, 2],
      [1, 2, 2],
      [2, 5, 1],
    ]);
    expect(inSevenths.at(-1)).toEqual([5000, undefined, 1]);
  });

  it('has buckets whose probabilities add up to 1 and whose shares to the return, for any table', () => {
    const row = fc.record({
      weight: fc.bigInt({ min: 1n, max: 2n ** 60n }),
      payout: fc.bigInt({ min: 0n, max: 10n ** 7n }),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 15 }), fc.constantFrom('1', '1.25', '100'), (rows, cost) => {
        const { histogram, rtp, hitRate } = modeStatistics(rowsOf(rows), cost);
        expect(histogram.reduce((sum, bucket) => sum + bucket.probability, 0)).toBeCloseTo(1, 12);
        expect(histogram.reduce((sum, bucket) => sum + bucket.rtpShare, 0) / (rtp || 1)).toBeCloseTo(
          rtp === 0 ? 0 : 1,
          12,
        );
        expect(1 - hitRate).toBeCloseTo(
          rows.some(({ payout }) => payout === 0n) ? (histogram[0]?.probability ?? 0) : 0,
          12,
        );
      }),
    );
  });

  it('is exact for weights and payouts up to 2^64−1', () => {
    const rows = [
      { weight: 2n ** 64n - 2n, payout: 0n },
      { weight: 1n, payout: 2n ** 64n - 1n },
    ];
    const statistics = modeStatistics(rowsOf(rows), '1');
    expect(statistics.rtp).toBe(0.01);
    expect(statistics.maxWin).toBe(2n ** 64n - 1n);
    expect(statistics.maxWinOneIn).toBe(2 ** 64);
  });
});
