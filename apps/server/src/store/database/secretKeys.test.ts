import { expect, it } from 'vitest';
import { openIfReadable, SecretKeyError, secretKeysOf } from './secretKeys.ts';

const [OLD, NEW] = ['0a'.repeat(32), 'F1'.repeat(32)];
const sealedByOld = secretKeysOf(OLD).seal('s', 'acme');
const OLD_ID = /^sealed:v1:([0-9a-f]{8}):/.exec(sealedByOld)?.[1];

it('the first key encrypts, and each of them decrypts', () => {
  const sealed = secretKeysOf(OLD).seal('the secret', 'acme');
  expect(sealed).toMatch(/^sealed:v1:[0-9a-f]{8}:[\w-]+$/);
  const both = secretKeysOf(`${NEW}, ${OLD}`);
  expect(both.open(sealed, 'acme')).toBe('the secret');
  expect([both.isCurrent(sealed), both.isCurrent(both.seal('x', 'acme'))]).toEqual([false, true]);
  expect(secretKeysOf(NEW).open(both.seal('x', 'acme'), 'acme')).toBe('x');
});

it('what is not sealed is read as it is, also without a key', () => {
  const none = secretKeysOf('');
  for (const plain of ['a secret', `x${sealedByOld}`, `${sealedByOld}.`]) expect(none.open(plain, 'acme')).toBe(plain);
  expect(none.isCurrent('a secret')).toBe(false);
});

it.each<[string, () => unknown, string]>([
  [
    'no key to encrypt with',
    () => secretKeysOf('').seal('s', 'acme'),
    'There is no key to encrypt secrets of operators with: set ROUNDHOUSE_SECRETS_KEY, for example to what `openssl rand -hex 32` prints.',
  ],
  [
    'another key',
    () => secretKeysOf(NEW).open(sealedByOld, 'acme'),
    `The secrets of operator acme are encrypted with key ${OLD_ID}, which is not here: set ROUNDHOUSE_SECRETS_KEY to it.`,
  ],
  [
    'the secret of another operator',
    () => secretKeysOf(OLD).open(sealedByOld, 'beta'),
    'The secrets of operator beta were changed in the database, and cannot be decrypted.',
  ],
  ...['short', `${OLD}0`, `x${OLD}`, `${OLD},`].map((text): [string, () => unknown, string] => [
    `the key ${text}`,
    () => secretKeysOf(text),
    'ROUNDHOUSE_SECRETS_KEY: a key is 64 hexadecimal digits, as `openssl rand -hex 32` makes them; several stand with commas.',
  ]),
])('%s is an error that says what to do', (_, work, message) => {
  expect(work).toThrow(new SecretKeyError(message));
  expect(work).toThrow(expect.objectContaining({ name: 'SecretKeyError' }));
});

it('a list shows operators whose secrets it cannot read', () => {
  expect(openIfReadable(secretKeysOf(NEW), sealedByOld, 'acme')).toBeUndefined();
  expect(openIfReadable(secretKeysOf(OLD), sealedByOld, 'acme')).toBe('s');
  const broken = { ...secretKeysOf(OLD), open: () => expect.fail('broken') };
  expect(() => openIfReadable(broken, sealedByOld, 'acme')).toThrow('broken');
});
