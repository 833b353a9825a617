import { describe, expect, it } from 'vitest';
import { seededRandom } from '../draw/random.ts';
import { selectRounds } from './selectRounds.ts';

/** Most of ten thousand rounds pay nothing, few pay much, three reach the cap. */
const random = seededRandom({ stream: 1, round: 1 });
const payouts = Uint32Array.from({ length: 10_000 }, (_, round) => {
  if (round % 3333 === 1) return 500_000;
  const roll = random.below(1000);
  if (roll < 700) return 0;
  return roll < 995 ? 10 + random.below(200) * 10 : 20_000 + random.below(1000) * 10;
});
const kept = selectRounds(payouts, 2000);

function standFor(chosen: typeof kept): number {
  return chosen.reduce((sum, { count, of }) => sum + count / of, 0);
}

describe('the rounds that become books', () => {
  it('are as many as requested, or a few less, each once, in their order', () => {
    expect(kept.length).toBeLessThanOrEqual(2000);
    expect(kept.length).toBeGreaterThan(1970);
    const rounds = kept.map(({ round }) => round);
    expect(rounds).toEqual([...new Set(rounds)].sort((a, b) => a - b));
    for (const { round, payout } of kept) expect(payout).toBe(payouts[round]);
  });

  it('represent together the whole sample, and its mean', () => {
    expect(standFor(kept)).toBeCloseTo(10_000, 6);
    const mean = kept.reduce((sum, { payout, count, of }) => sum + (payout * count) / of, 0) / 10_000;
    const sampled = payouts.reduce((sum, payout) => sum + payout, 0) / 10_000;
    expect(mean / sampled).toBeGreaterThan(0.998);
    expect(mean / sampled).toBeLessThan(1.002);
  });

  it('stand for what pays nothing as often as it was sampled', () => {
    const nothing = payouts.filter((payout) => payout === 0).length;
    expect(standFor(kept.filter(({ payout }) => payout === 0))).toBeCloseTo(nothing, 6);
  });

  it('are all that reached the cap, each for itself', () => {
    const capped = kept.filter(({ payout }) => payout === 500_000);
    expect(capped.map(({ round }) => round)).toEqual([1, 3334, 6667]);
    expect(standFor(capped)).toBe(3);
  });

  it('have weights in proportion to the rounds that they represent', () => {
    for (const { count, of, weight } of kept) expect(weight / 2 ** 20).toBeCloseTo(count / of, 5);
  });

  it('are all of a sample that is not larger than requested', () => {
    expect(selectRounds(payouts.subarray(0, 50), 50)).toHaveLength(50);
  });
});
