import { type PartialJurisdiction, toMicros } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { PRESET_NAMES, type PresetName } from '../../operators/jurisdictions/presets.ts';
import { checkPresets } from './jurisdictionChecks.ts';

type Mode = { key: string; rtp: number; cost?: string; feature?: boolean };
type Game = { modes?: Mode[]; minBets?: Record<string, number>; jurisdiction?: PartialJurisdiction };

const BASE = { key: 'BASE', rtp: 0.96 };
const BONUS = { key: 'BONUS', rtp: 0.96, cost: '100', feature: true };
const BOTH = { modes: [BASE, BONUS] };
const UNIT = 1_000_000;
const LOW_STAKE = { maxStake: { EUR: UNIT / 20 } };

function checkOf(name: PresetName, { modes = [BASE], minBets = { EUR: UNIT / 10, GBP: UNIT / 10 }, ...game }: Game) {
  const checks = checkPresets({
    jurisdiction: game.jurisdiction ?? {},
    betSettings: (currency) => {
      const minBet = toMicros(minBets[currency] ?? 1);
      const settings = { minBet, maxBet: minBet, stepBet: minBet, defaultBetLevel: minBet, betLevels: [] };
      return currency in minBets ? settings : undefined;
    },
    modes: modes.map(({ key, rtp, cost = '1', feature = false }) => ({ key, rtp, costMultiplier: cost, feature })),
  });
  return checks.find((check) => check.name === name);
}

describe('the presets of jurisdictions', () => {
  it('are all judged, and an ordinary game satisfies each of them', () => {
    for (const name of PRESET_NAMES) expect(checkOf(name, {})).toMatchObject({ name, failed: [] });
  });

  const LOW = { ...BONUS, rtp: 0.899 };
  const isAFeature = expect.stringMatching(/^every mode is a bought feature/);
  it.each<[what: string, PresetName, Game, failed: string[], more?: object]>([
    ['a low return', 'italy', { modes: [BASE, LOW] }, ['BONUS returns 89.90 %, less than 90 %']],
    ['a low return of a mode that nobody can buy there', 'strictest', { modes: [BASE, LOW] }, []],
    ['the lowest return', 'italy', { modes: [{ ...BASE, rtp: 0.9 }] }, [], { met: ['each mode returns 90 % or more'] }],
    ['bought features', 'uk', { modes: [BONUS], minBets: { GBP: 1 } }, [isAFeature, expect.any(String)]],
    ['a feature beside others', 'uk', BOTH, [], { remarks: ['BONUS: refused there, as a bought feature'] }],
    ['no bought feature', 'uk', {}, [], { met: ['no bought feature'] }],
    ['no bets in the currency', 'uk', { minBets: { EUR: 1 } }, ['no bets in GBP']],
    ['bets above the highest stake', 'germany', { minBets: { EUR: 2 * UNIT } }, ['no bet costs 1 EUR or less']],
    ['a mode above the highest stake', 'germany', BOTH, [], { remarks: ['BONUS: always costs more than 1 EUR'] }],
    ['a lower stake of its own', 'germany', { jurisdiction: LOW_STAKE }, ['no bet costs 0.05 EUR or less']],
  ])('judge %s', (_, name, game, failed, more = {}) => {
    expect(checkOf(name, game)).toMatchObject({ failed, ...more });
  });

  it('say what the server enforces, and what only the front end can obey', () => {
    expect(checkOf('germany', {})).toMatchObject({
      server: ['5 s between two rounds', 'one game at a time', 'at most 1 EUR a round'],
      frontend: ['no autoplay', 'a press for each round', 'RTP shown', 'reality check after 60 min'],
    });
    expect(checkOf('sweden', {})?.frontend).toEqual(['no autoplay']);
  });
});
