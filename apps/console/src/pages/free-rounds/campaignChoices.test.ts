import { expect, it } from 'vitest';
import { commonTerms } from './campaignChoices.ts';

type Games = Parameters<typeof commonTerms>[0];

const version = (currencies: string[], modes: string[], bets: Record<string, number[]>, state = 'available') => ({
  ...{ state, currencies, modes: modes.map((mode) => ({ mode })) },
  bets: Object.entries(bets).map(([currency, betLevels]) => ({ currency, betLevels })),
});
const games = (...versions: ReturnType<typeof version>[][]) =>
  versions.map((each) => ({ versions: each })) as never as Games;

it('offers what all games have, of their newest version that is not withdrawn', () => {
  const lines = [
    version(['GBP'], ['NEW'], { default: [9] }, 'withdrawn'),
    version([], ['BASE', 'ANTE'], { default: [1, 2], EUR: [2, 5] }),
  ];
  const wheel = [version(['EUR', 'USD'], ['BASE', 'BONUS'], { default: [2, 5, 9] })];
  const terms = commonTerms(games(lines, wheel), ['EUR', 'GBP', 'USD']);
  expect([terms.modes, terms.currencies]).toEqual([['BASE'], ['EUR', 'USD']]);
  expect([terms.levelsIn('EUR'), terms.levelsIn('USD')]).toEqual([[2, 5], [2]]);
});

it('has no levels when games take any bet within their limits', () => {
  expect(commonTerms(games([version([], ['BASE'], { default: [] })]), []).levelsIn('EUR')).toBeUndefined();
});
