import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { settingsSchema } from './settings.ts';

const PEM = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const;
const keys = generateKeyPairSync('rsa', { modulusLength: 2048, ...PEM });
const SETTINGS = { operatorIDs: [1], privateKey: keys.privateKey, hub88PublicKeys: [keys.publicKey] };

it.each([
  ['no casino', { operatorIDs: [] }],
  ['a casino with a slash', { operatorIDs: ['a/b'] }],
  ['a key that is none', { privateKey: 'secret' }],
  ['a short key', { hub88PublicKeys: [generateKeyPairSync('rsa', { modulusLength: 1024, ...PEM }).publicKey] }],
  ['a key of another kind', { privateKey: generateKeyPairSync('ed25519', PEM).privateKey }],
  ['an unknown setting', { other: 1 }],
])('the settings are not right with %s', (_what, change) => {
  expect(settingsSchema.safeParse({ ...SETTINGS, ...change }).success).toBe(false);
});
