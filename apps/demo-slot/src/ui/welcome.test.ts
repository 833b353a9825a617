import { signal } from '@preact/signals-core';
import type { BetConfig } from '@roundhouse/sdk';
import { describe, expect, it } from 'vitest';
import type { Phase, ReplayInfo } from '../game/model.ts';
import { hidesGame, welcomeKindOf } from './welcome.tsx';

const CONFIG = { gameID: 'aurora-line' } as BetConfig;

function kindOf({ phase, state, config }: { phase: Phase; state?: ReplayInfo['state']; config?: BetConfig }) {
  const replay = state && { mode: 'BASE', betMicros: 1, costMicros: 1, book: '1', state };
  return welcomeKindOf({ phase: signal(phase), replay: signal(replay), config: signal(config) });
}

describe('the welcome screen', () => {
  it('is nothing while it is played', () => {
    for (const phase of ['idle', 'spinning', 'presenting'] as const)
      expect(kindOf({ phase, config: CONFIG })).toBeUndefined();
  });

  it('is the loading bar, then the intro', () => {
    expect(kindOf({ phase: 'loading' })).toBe('loading');
    expect(kindOf({ phase: 'intro', config: CONFIG })).toBe('intro');
  });

  it('is the card of a replay before and after, but not while it plays', () => {
    expect(kindOf({ phase: 'idle', state: 'ready' })).toBe('replayReady');
    expect(kindOf({ phase: 'presenting', state: 'playing' })).toBeUndefined();
    expect(kindOf({ phase: 'idle', state: 'ended' })).toBe('replayEnded');
  });

  it('is the logo when the game cannot start, and nothing when it is blocked later', () => {
    expect(kindOf({ phase: 'blocked' })).toBe('noGame');
    expect(kindOf({ phase: 'blocked', config: CONFIG })).toBeUndefined();
  });

  it('hides the game, except at the end of a replay', () => {
    expect(hidesGame('loading')).toBe(true);
    expect(hidesGame('replayReady')).toBe(true);
    expect(hidesGame('replayEnded')).toBe(false);
    expect(hidesGame(undefined)).toBe(false);
  });
});
