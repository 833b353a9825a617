import { signal } from '@preact/signals-core';
import type { BetConfig } from '@roundhouse/sdk';
import { expect, it } from 'vitest';
import type { Phase, ReplayInfo } from '../game/model.ts';
import { hidesGame, welcomeKindOf } from './welcome.tsx';

const CONFIG = { gameID: 'aurora-line' } as BetConfig;

function kindOf({ phase, state, config }: { phase: Phase; state?: ReplayInfo['state']; config?: BetConfig }) {
  const replay = state && {
    mode: 'BASE',
    betMicros: 1,
    costMicros: 1,
    book: '1',
    canLeave: false,
    isFree: false,
    state,
  };
  return welcomeKindOf({ phase: signal(phase), replay: signal(replay), config: signal(config) });
}

it.each<[what: string, kind: string | undefined, game: Parameters<typeof kindOf>[0]]>([
  ['nothing before a spin', undefined, { phase: 'idle', config: CONFIG }],
  ['nothing while the reels turn', undefined, { phase: 'spinning', config: CONFIG }],
  ['nothing while a win is shown', undefined, { phase: 'presenting', config: CONFIG }],
  ['the loading bar', 'loading', { phase: 'loading' }],
  ['the intro after loading', 'intro', { phase: 'intro', config: CONFIG }],
  ['the card before a replay', 'replayReady', { phase: 'idle', state: 'ready' }],
  ['nothing during a replay', undefined, { phase: 'presenting', state: 'playing' }],
  ['the card after a replay', 'replayEnded', { phase: 'idle', state: 'ended' }],
  ['only the logo when the game cannot start', 'noGame', { phase: 'blocked' }],
  ['nothing when the game is blocked later', undefined, { phase: 'blocked', config: CONFIG }],
])('the welcome screen is %s', (_what, kind, game) => {
  expect(kindOf(game)).toBe(kind);
});

it.each([
  ['loading', true],
  ['replayReady', true],
  ['replayEnded', false],
  [undefined, false],
] as const)('the kind %s hides the game: %s', (kind, expected) => {
  expect(hidesGame(kind)).toBe(expected);
});
