import { signal } from '@preact/signals-core';
import { describe, expect, it } from 'vitest';
import type { AutoplayRunning, Phase } from '../../game/model.ts';
import { spinStateOf } from './spinButton.tsx';

const AUTOPLAY: AutoplayRunning = {
  spins: 10,
  remaining: 7,
  lossLimitMicros: undefined,
  singleWinLimitMicros: undefined,
  stopOnFreeSpins: false,
};

function stateOf(facts: { phase: Phase; canSpin?: boolean; canStop?: boolean; autoplay?: AutoplayRunning }) {
  return spinStateOf({
    phase: signal(facts.phase),
    canSpin: signal(facts.canSpin ?? false),
    canStop: signal(facts.canStop ?? false),
    autoplay: signal(facts.autoplay),
  });
}

describe('what the big button does', () => {
  it('spins when a round can begin', () => {
    expect(stateOf({ phase: 'idle', canSpin: true })).toBe('spin');
  });

  it('rests when nothing runs and no round can begin', () => {
    expect(stateOf({ phase: 'idle' })).toBe('resting');
    expect(stateOf({ phase: 'blocked' })).toBe('resting');
  });

  it('stops the reels, and skips what comes after them', () => {
    expect(stateOf({ phase: 'spinning', canStop: true })).toBe('stop');
    expect(stateOf({ phase: 'presenting', canStop: true })).toBe('skip');
  });

  it('waits while a round runs that may not be hurried', () => {
    expect(stateOf({ phase: 'spinning' })).toBe('waiting');
    expect(stateOf({ phase: 'presenting' })).toBe('waiting');
  });

  it('stops autoplay before anything else, also between and during its rounds', () => {
    expect(stateOf({ phase: 'spinning', canStop: true, autoplay: AUTOPLAY })).toBe('stopAutoplay');
    expect(stateOf({ phase: 'idle', canSpin: true, autoplay: AUTOPLAY })).toBe('stopAutoplay');
  });
});
