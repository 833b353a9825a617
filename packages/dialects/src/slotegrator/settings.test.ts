import { expect, it } from 'vitest';
import { settingsSchema } from './settings.ts';

const SETTINGS = { merchantID: 'm-123', merchantKey: 'a key of the merchant' };

it.each([
  ['no merchant', { merchantID: '' }],
  ['a short key', { merchantKey: 'short' }],
  ['a path without a slash', { callbackPath: 'callback' }],
  ['an unknown setting', { other: 1 }],
])('the settings are not right with %s', (_what, change) => {
  expect(settingsSchema.safeParse(SETTINGS).success).toBe(true);
  expect(settingsSchema.safeParse({ ...SETTINGS, ...change }).success).toBe(false);
});
