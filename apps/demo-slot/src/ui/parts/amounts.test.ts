import { signal } from '@preact/signals-core';
import type { BetConfig } from '@roundhouse/sdk';
import { describe, expect, it } from 'vitest';
import type { Permissions } from '../../game/model.ts';
import { costOfMode, isModeOffered } from './amounts.ts';

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
