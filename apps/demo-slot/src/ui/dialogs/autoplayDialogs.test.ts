import { describe, expect, it } from 'vitest';
import { firstChoice, LOSS_LIMIT_STAKES, SPIN_CHOICES, settingsOf, WIN_LIMIT_STAKES } from './autoplayDialogs.tsx';

const STAKE_MICROS = 1_250_000;

describe('the autoplay form', () => {
  it('writes limits in money, as multiples of what a spin costs', () => {
    const choice = { spins: 50, lossLimitStakes: 25, winLimitStakes: 100, stopOnFreeSpins: true };
    expect(settingsOf(choice, STAKE_MICROS)).toEqual({
      spins: 50,
      lossLimitMicros: 31_250_000,
      singleWinLimitMicros: 125_000_000,
      stopOnFreeSpins: true,
    });
  });

  it('keeps no limit as no limit', () => {
    const none = { spins: 10, lossLimitStakes: undefined, winLimitStakes: undefined, stopOnFreeSpins: false };
    const settings = settingsOf(none, STAKE_MICROS);
    expect(settings.lossLimitMicros).toBeUndefined();
    expect(settings.singleWinLimitMicros).toBeUndefined();
  });

  it('begins with the choice that risks least, and with no loss limit where the player has to choose it', () => {
    const least = { spins: 10, lossLimitStakes: Math.min(...LOSS_LIMIT_STAKES) };
    expect(firstChoice({ needsLossLimit: false, spins: 10 })).toMatchObject(least);
    expect(firstChoice({ needsLossLimit: true, spins: 10 })).toMatchObject({ ...least, lossLimitStakes: undefined });
  });

  it('offers each choice once, from the smallest up', () => {
    for (const choices of [SPIN_CHOICES, LOSS_LIMIT_STAKES, WIN_LIMIT_STAKES]) {
      expect([...choices]).toEqual([...new Set(choices)].sort((left, right) => left - right));
    }
  });
});
