import { expect, it } from 'vitest';
import { settingsSchema } from './settings.ts';

const SETTINGS = { partners: [10], user: 'pns', password: 'test', gameref: 'rlx.roundhouse.studio.{game}' };

it.each<[string, object]>([
  ['partners', { partners: [] }],
  ['partners', { partners: [10, 10] }],
  ['user', { user: 'a:b' }],
  ['addresses', { addresses: ['relax.example'] }],
  ['gameref', { gameref: 'rlx.roundhouse.{game}' }],
  ['jurisdictions', { jurisdictions: { UK: { maxStake: 1 } } }],
  ['other', { other: 1 }],
])('settings with wrong %s are refused', (name, change) => {
  const { error } = settingsSchema.safeParse({ ...SETTINGS, ...change });
  expect(JSON.stringify(error?.issues)).toContain(name);
});
