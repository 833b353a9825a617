import { JURISDICTION_COUNTS, JURISDICTION_DURATIONS, parseLaunchUrl } from '@roundhouse/contract/light';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CHOICES, drawsOf, funUrlOf, launchRequestOf, PRESETS, presetOf, readChoices } from './launcher.ts';

const opening = { playerID: 'player-7', gameID: 'aurora', currency: 'USD' } as const;

describe('launchRequestOf', () => {
  it('has only what was chosen', () => {
    expect(launchRequestOf(DEFAULT_CHOICES, opening)).toEqual({ ...opening, lang: 'en', device: 'desktop' });
  });

  it('has all that was chosen', () => {
    const jurisdiction = { ...DEFAULT_CHOICES.jurisdiction, disabledTurbo: true, minimumRoundDuration: 2500 };
    const choices = {
      language: 'fi',
      device: 'mobile',
      social: true,
      isFair: true,
      country: 'fi',
      jurisdiction,
    } as const;
    expect(launchRequestOf(choices, opening)).toEqual({
      ...opening,
      lang: 'fi',
      device: 'mobile',
      social: true,
      draws: 'provablyFair',
      country: 'FI',
      jurisdiction: { disabledTurbo: true, minimumRoundDuration: 2500 },
    });
  });
});

it('a game opens for fun with the choices and without a session', () => {
  const game = {
    ...{ gameID: 'aurora', version: '1.0.0', title: 'Aurora', currencies: [], modes: [] },
    ...{ statistics: [], bets: {}, draws: 'certified' as const, hasFrontend: true },
  };
  const choices = { ...DEFAULT_CHOICES, language: 'de', device: 'mobile', country: 'DE' } as const;
  expect(parseLaunchUrl(funUrlOf(game, { rgsUrl: 'https://rgs.example', currency: 'EUR', choices }))).toEqual({
    kind: 'play',
    demo: true,
    sessionID: '',
    rgsUrl: 'https://rgs.example',
    gameHost: 'https://rgs.example',
    gameID: 'aurora',
    gameVersion: '1.0.0',
    language: 'de',
    device: 'mobile',
    currency: 'EUR',
  });
});

it('the launch decides about the draws before the list of games', () => {
  expect(drawsOf({ draws: 'certified' }, {})).toBe('certified');
  expect(drawsOf({ draws: 'provablyFair' }, {})).toBe('provablyFair');
  expect(drawsOf({ draws: 'certified' }, { draws: 'provablyFair' })).toBe('provablyFair');
  expect(drawsOf({ draws: 'provablyFair' }, { draws: 'certified' })).toBe('certified');
});

describe('readChoices', () => {
  it('reads back what was kept', () => {
    const jurisdiction = { ...DEFAULT_CHOICES.jurisdiction, displayRTP: true, realityCheckInterval: 60_000 };
    const choices = {
      ...DEFAULT_CHOICES,
      language: 'ja',
      country: 'JP',
      social: true,
      isFair: true,
      jurisdiction,
    } as const;
    expect(readChoices(JSON.parse(JSON.stringify(choices)), 'mobile')).toEqual(choices);
  });

  it.each([undefined, null, 'x', 7, [], { language: 'xx', device: 1, country: 'FIN', jurisdiction: 5 }])(
    'makes the defaults of %j',
    (kept) => {
      expect(readChoices(kept, 'desktop')).toEqual(DEFAULT_CHOICES);
    },
  );

  it('has the device that the player holds until another is chosen', () => {
    expect(readChoices({ language: 'fi' }, 'mobile').device).toBe('mobile');
    expect(readChoices({ device: 'desktop' }, 'mobile').device).toBe('desktop');
  });

  it.each([...JURISDICTION_DURATIONS, ...JURISDICTION_COUNTS])('takes no %s that is not valid', (name) => {
    for (const bad of [-1, 1.5, 86_400_001, '5'])
      expect(readChoices({ jurisdiction: { [name]: bad } }, 'desktop').jurisdiction[name], `${bad}`).toBe(0);
  });
});

it('a preset is known by its demands, and not with one more', () => {
  const britain = { ...DEFAULT_CHOICES.jurisdiction, ...PRESETS.britain };
  expect(presetOf(britain)).toBe('britain');
  expect(presetOf(DEFAULT_CHOICES.jurisdiction)).toBe('none');
  expect(presetOf({ ...britain, displayRTP: true })).toBeUndefined();
});
