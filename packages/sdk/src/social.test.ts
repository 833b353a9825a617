import { DEFAULT_JURISDICTION } from '@roundhouse/contract/light';
import { expect, it } from 'vitest';
import type { ClientState } from './client/clientTypes.ts';
import { isSocial } from './social.ts';

const under = (socialCasino: boolean) =>
  ({ jurisdiction: { ...DEFAULT_JURISDICTION, socialCasino } }) as NonNullable<ClientState['config']>;

it.each([
  ['nothing says so', {}, {}, false],
  ['another currency', { currency: 'USD' }, { config: under(false) }, false],
  ['the launch URL', { social: true, currency: 'USD' }, { config: under(false) }, true],
  ['the jurisdiction', { social: false, currency: 'USD' }, { config: under(true) }, true],
  ['the currency of the launch URL', { currency: 'XGC' }, {}, true],
  ['the currency of the account', {}, { balance: { amount: 0, currency: 'XSC' } }, true],
  [
    'the account has another currency than the launch URL',
    { currency: 'XGC' },
    { balance: { amount: 0, currency: 'EUR' } },
    false,
  ],
] as const)('social mode: %s', (_, launch, state, expected) => {
  expect(isSocial({ launch, state: state as Partial<ClientState> })).toBe(expected);
});
