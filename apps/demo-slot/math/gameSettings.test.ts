import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MODE_COST_HUNDREDTHS, PAYTABLE, WIN_CAP_HUNDREDTHS } from '../rules.ts';
import { gameSettings } from './gameSettings.ts';

const limits = Object.entries(gameSettings.betLimits);

describe('the bet limits', () => {
  it('are a tenth to a hundred units by default, in at least twelve levels', () => {
    const { betLevels, ...others } = gameSettings.betLimits.default ?? { betLevels: [] };
    expect(others).toMatchObject({ minBet: 100_000, maxBet: 100_000_000, stepBet: 100_000 });
    expect(betLevels.length).toBeGreaterThanOrEqual(12);
  });

  it('are there for each of the 21 currencies', () => {
    expect(limits).toHaveLength(22);
  });

  it.each(limits)('of %s are levels that a bet may have', (_currency, { minBet, maxBet, stepBet, ...levels }) => {
    const { betLevels, defaultBetLevel } = levels;
    expect(betLevels).toEqual([...betLevels].sort((a, b) => a - b));
    expect(betLevels[0]).toBe(minBet);
    expect(betLevels.at(-1)).toBe(maxBet);
    expect(betLevels.filter((level) => level % stepBet !== 0)).toEqual([]);
    expect(betLevels).toContain(defaultBetLevel);
  });

  it.each(limits)('of %s make every price and payout whole micros, and the largest one money', (_currency, limit) => {
    const { maxBet, stepBet } = limit;
    const factors = [...Object.values(PAYTABLE).flat(), ...Object.values(MODE_COST_HUNDREDTHS)];
    for (const hundredths of factors) expect((BigInt(stepBet) * BigInt(hundredths)) % 100n).toBe(0n);
    expect((BigInt(maxBet) * BigInt(WIN_CAP_HUNDREDTHS)) / 100n).toBeLessThanOrEqual(BigInt(Number.MAX_SAFE_INTEGER));
  });
});

it('the languages are those that the front end has texts in', () => {
  const names = readdirSync(new URL('../src/texts', import.meta.url)).filter((name) => name.endsWith('.json'));
  expect(gameSettings.languages).toEqual(names.map((name) => name.replace('.json', '')).sort());
});
