import { signal } from '@preact/signals-core';
import { expect, it } from 'vitest';
import type { AutoplayRunning, Phase } from '../../game/model.ts';
import { spinStateOf } from './spinButton.tsx';

const AUTOPLAY: AutoplayRunning = {
  spins: 10,
  remaining: 7,
  lossLimitMicros: undefined,
  singleWinLimitMicros: undefined,
  stopOnFreeSpins: false,
};

type Case = { phase: Phase; canSpin?: boolean; canStop?: boolean; autoplay?: AutoplayRunning };

it.each<[what: string, state: string, game: Case]>([
  ['spins when a round can begin', 'spin', { phase: 'idle', canSpin: true }],
  ['rests when no round can begin', 'resting', { phase: 'idle' }],
  ['rests when the game is blocked', 'resting', { phase: 'blocked' }],
  ['stops the reels', 'stop', { phase: 'spinning', canStop: true }],
  ['skips what comes after the reels', 'skip', { phase: 'presenting', canStop: true }],
  ['waits while the reels must not be stopped', 'waiting', { phase: 'spinning' }],
  ['waits while nothing can be skipped', 'waiting', { phase: 'presenting' }],
  ['stops autoplay during a round', 'stopAutoplay', { phase: 'spinning', canStop: true, autoplay: AUTOPLAY }],
  ['stops autoplay between rounds', 'stopAutoplay', { phase: 'idle', canSpin: true, autoplay: AUTOPLAY }],
])('the spin button %s', (_what, state, { phase, canSpin = false, canStop = false, autoplay }) => {
  const model = {
    phase: signal(phase),
    canSpin: signal(canSpin),
    canStop: signal(canStop),
    autoplay: signal(autoplay),
  };
  expect(spinStateOf(model)).toBe(state);
});
