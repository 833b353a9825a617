import { expect, it } from 'vitest';
import { momentsOf, type Table } from '../../../test/support/payoutDraw.ts';
import { rtpInterval, theoryOf } from '../../watch/rtp/bounds.ts';
import { confidenceInterval, isBeyondChance } from './simulateReport.ts';

/** It pays 2 bets in 48 of 100 rounds. */
const TABLE: Table = new Map([
  [0, 52n],
  [200, 48n],
]);
const mode = { cost: '1', statistics: () => ({ moments: momentsOf(TABLE) }) };

it.each([1000, 1_000_000])(
  'the interval of %i rounds holds the RTP of the table where its bounds hold theirs',
  (rounds) => {
    const theory = theoryOf('1', momentsOf(TABLE));
    const sums = { rounds: BigInt(rounds), bets: BigInt(rounds), payouts: 0n, betSquares: BigInt(rounds), maxBet: 1n };
    const bounds = rtpInterval(sums, theory, 0.999);
    for (const rtp of [bounds.low + 1e-9, bounds.high - 1e-9, bounds.low - 1e-9, bounds.high + 1e-9]) {
      const { low, high } = confidenceInterval(mode, { rounds, rtp });
      expect(low <= theory.rtp && theory.rtp <= high).toBe(bounds.low <= rtp && rtp <= bounds.high);
    }
  },
);

it('a difference is beyond chance when a sound draw shows it in less than one of a million tests', () => {
  const test = (p: number) => ({ statistic: 1, degrees: 1, p });
  expect(isBeyondChance({ payoutTest: test(1.1e-6), bookTest: test(1.1e-6) })).toBe(false);
  expect(isBeyondChance({ payoutTest: test(0.9e-6), bookTest: test(1) })).toBe(true);
  expect(isBeyondChance({ payoutTest: test(1), bookTest: test(0.9e-6) })).toBe(true);
});
