import { expect, it } from 'vitest';
import { settingsSchema } from './settings.ts';

const SETTINGS = { casinoKey: 'casino', apiToken: 'an-api-token-of-the-launch', authToken: 'x' };

it.each([
  ['a casino with a slash', { casinoKey: 'a/b' }],
  ['a short token of launches', { apiToken: 'short' }],
  ['no token of the wallet', { authToken: '' }],
  ['an unknown setting', { other: 1 }],
])('the settings are not right with %s', (_what, change) => {
  expect(settingsSchema.safeParse(SETTINGS).success).toBe(true);
  expect(settingsSchema.safeParse({ ...SETTINGS, ...change }).success).toBe(false);
});
