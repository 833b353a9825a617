import { signal } from '@preact/signals-core';
import type { BetConfig } from '@roundhouse/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Permissions } from './model.ts';
import { costOfMode, countStep, isModeOffered, paidMicros } from './money.ts';

it('multiplies exactly where a float would not', () => {
  // 4503599627370.0 × 1.15 as floats is 5179139571475.499.
  expect(paidMicros({ betMicros: 4_503_599_627_300, hundredths: 115 })).toBe(5_179_139_571_395);
});

it('counts in whole cents, and ends with the exact amount', () => {
  const end = { endMicros: 1_234_567, currency: 'EUR' } as const;
  expect(countStep(999_999.7, end)).toBe(990_000);
  expect(countStep(1_234_567, end)).toBe(1_234_567);
  expect(countStep(-5, end)).toBe(0);
});

it('counts in whole units where the currency has no decimals', () => {
  expect(countStep(12_900_000.5, { endMicros: 20_000_000, currency: 'JPY' })).toBe(12_000_000);
});

it('never counts further than the end', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e12 }), fc.double({ min: 0, max: 2, noNaN: true }), (endMicros, part) => {
      const step = countStep(endMicros * part, { endMicros, currency: 'USD' });
      expect(step).toBeLessThanOrEqual(endMicros);
      expect(Number.isInteger(step)).toBe(true);
    }),
  );
});

function modelWith({ betModes, buyFeature = true }: { betModes?: BetConfig['betModes']; buyFeature?: boolean }) {
  const config = betModes && ({ betModes } as BetConfig);
  return {
    betMicros: signal(1_000_000),
    config: signal(config),
    permissions: signal({ buyFeature } as Permissions),
  };
}

const BETMODES = {
  BASE: { mode: 'BASE', costMultiplier: 1, feature: false },
  BONUS: { mode: 'BONUS', costMultiplier: 90, feature: true },
};

describe('the price of a mode', () => {
  it('is what the server debits, even when the rules say something else', () => {
    expect(costOfMode(modelWith({ betModes: BETMODES }), 'BONUS')).toBe(90_000_000);
  });

  it('is what the rules say in a replay, which has no config', () => {
    expect(costOfMode(modelWith({}), 'ANTE')).toBe(1_250_000);
    expect(costOfMode(modelWith({}), 'BONUS')).toBe(80_000_000);
  });
});

describe('whether a mode is offered', () => {
  it('is not when the server has no such mode', () => {
    expect(isModeOffered(modelWith({ betModes: BETMODES }), 'ANTE')).toBe(false);
    expect(isModeOffered(modelWith({}), 'BASE')).toBe(false);
  });

  it('is not when it is a feature and the place of play forbids buying', () => {
    const model = modelWith({ betModes: BETMODES, buyFeature: false });
    expect(isModeOffered(model, 'BONUS')).toBe(false);
    expect(isModeOffered(model, 'BASE')).toBe(true);
  });
});
