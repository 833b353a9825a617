import { expect, it } from 'vitest';
import { settingsSchema } from './settings.ts';

const ONE = { id: 'one', token: 'token-of-one' };

it.each([
  {},
  { casinos: [] },
  { casinos: [ONE, ONE] },
  { casinos: [{ id: 'a/b', token: 'x' }] },
  { casinos: [{ ...ONE, path: 'x' }] },
  { casinos: [ONE], more: 1 },
])('the settings %j are refused', (settings) => {
  expect(settingsSchema.safeParse(settings).success).toBe(false);
});
