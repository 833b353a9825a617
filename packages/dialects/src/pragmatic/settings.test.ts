import { expect, it } from 'vitest';
import { settingsSchema } from './settings.ts';

const SETTINGS = { secureLogin: 'rh_casino', secret: 'a test key', providerId: 'roundhouse' };

it('settings with a key too many are none', () => {
  expect(settingsSchema.safeParse({ ...SETTINGS, other: 1 }).success).toBe(false);
  expect(settingsSchema.parse(SETTINGS)).toEqual({
    ...SETTINGS,
    currencies: {},
    endRound: true,
    sendsToken: false,
    refundDetails: false,
  });
});
