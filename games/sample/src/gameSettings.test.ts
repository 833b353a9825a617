import { describe, expect, it } from 'vitest';
import { gameSettings } from './gameSettings.ts';
import { PAY_HUNDREDTHS, WIN_CAP_HUNDREDTHS } from './paytable.ts';

const limits = Object.entries(gameSettings.betLimits);

describe('the bet limits', () => {
  it('are a tenth to a hundred units by default', () => {
    expect(gameSettings.betLimits.default).toMatchObject({ minBet: 100_000, maxBet: 100_000_000, stepBet: 100_000 });
  });

  it.each(limits)('of %s are levels that a bet may have', (_currency, { minBet, maxBet, stepBet, ...levels }) => {
    const { betLevels, defaultBetLevel } = levels;
    expect(betLevels).toEqual([...betLevels].sort((a, b) => a - b));
    expect(betLevels[0]).toBe(minBet);
    expect(betLevels.at(-1)).toBe(maxBet);
    expect(betLevels.filter((level) => level % stepBet !== 0)).toEqual([]);
    expect(betLevels).toContain(defaultBetLevel);
  });

  it.each(limits)(
    'of %s make every payout whole micros, and the largest one money',
    (_currency, { maxBet, stepBet }) => {
      for (const pay of Object.values(PAY_HUNDREDTHS)) expect((BigInt(stepBet) * BigInt(pay)) % 100n).toBe(0n);
      expect((BigInt(maxBet) * BigInt(WIN_CAP_HUNDREDTHS)) / 100n).toBeLessThanOrEqual(BigInt(Number.MAX_SAFE_INTEGER));
    },
  );
});
