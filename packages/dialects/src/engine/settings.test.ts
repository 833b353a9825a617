import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { settingsSchema } from './settings.ts';

const PEM = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const;
const { privateKey, publicKey } = generateKeyPairSync('ed25519', PEM);
const SETTINGS = { operator: 'acme', privateKey, operatorPublicKeys: [publicKey] };

it.each([
  ['no operator', { operator: '' }],
  ['a key that is none', { privateKey: 'secret' }],
  ['a private key that is public', { privateKey: publicKey }],
  ['a public key that is private', { operatorPublicKeys: [privateKey] }],
  ['a key of another kind', { operatorPublicKeys: [generateKeyPairSync('ed448', PEM).publicKey] }],
  ['no public key', { operatorPublicKeys: [] }],
  ['five public keys', { operatorPublicKeys: Array(5).fill(publicKey) }],
  ['a team that is no number', { teamID: 'studio' }],
  ['a health path that is a URL', { healthPath: 'https://other.example' }],
  ['an unknown setting', { other: 1 }],
])('the settings are not right with %s', (_what, change) => {
  expect(settingsSchema.safeParse(SETTINGS).success).toBe(true);
  expect(settingsSchema.safeParse({ ...SETTINGS, ...change }).success).toBe(false);
});
