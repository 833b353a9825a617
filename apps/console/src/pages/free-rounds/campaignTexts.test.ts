import { expect, test as it } from 'vitest';
import { campaignPath } from '../../components/links.tsx';
import { priceText } from './campaignTexts.ts';

it('the price of many players is exact', () => {
  const price = { currency: 'USD', cost: '1000001', liability: '9007199254740993' };
  expect(priceText(price, 3)).toBe('bets $3.000003, max win $27,021,597,764.222979');
});

it('the address of a campaign keeps any name', () => {
  expect(campaignPath({ operator: 'acme', campaignID: 'a/b?c' })).toBe('/free-rounds/acme/a%2Fb%3Fc');
});
