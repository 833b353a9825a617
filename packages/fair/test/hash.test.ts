import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesOf, hex, hmacSha256, hmacWith, sha256 } from '../src/index.ts';

const bytes = fc.uint8Array({ maxLength: 400, size: 'max' });
const hashOf = (message: Uint8Array): string => createHash('sha256').update(message).digest('hex');
const hmacOf = (key: Uint8Array, message: Uint8Array): string =>
  createHmac('sha256', key).update(message).digest('hex');

it('sha256 agrees with node:crypto on random bytes', () => {
  fc.assert(
    fc.property(bytes, (message) => {
      expect(hex(sha256(message))).toBe(hashOf(message));
    }),
    { numRuns: 1000 },
  );
});

it('sha256 agrees with node:crypto on each length around the borders of blocks', () => {
  for (let length = 0; length <= 260; length += 1) {
    const message = new Uint8Array(length).fill(length);
    expect(hex(sha256(message)), `${length}`).toBe(hashOf(message));
  }
});

it('sha256 hashes a part of a larger buffer, and a large one', () => {
  const large = new Uint8Array(1_000_003).map((_, index) => index * 31);
  expect(hex(sha256(large))).toBe(hashOf(large));
  expect(hex(sha256(large.subarray(77, 300)))).toBe(hashOf(large.subarray(77, 300)));
});

it('hmacSha256 agrees with node:crypto, for keys of any length', () => {
  const both = (key: Uint8Array, message: Uint8Array): void => {
    expect(hex(hmacSha256(key, message))).toBe(hmacOf(key, message));
  };
  fc.assert(fc.property(bytes, bytes, both), { numRuns: 1000 });
  for (const length of [0, 32, 63, 64, 65, 200]) both(new Uint8Array(length).fill(7), new Uint8Array(90));
});

it('keys that are prepared do not disturb each other', () => {
  const [one, two] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const [first, second] = [hmacWith(one), hmacWith(two)];
  const message = new TextEncoder().encode('a message');
  expect([first, second, first].map((hmac) => hex(hmac(message)))).toEqual([
    hmacOf(one, message),
    hmacOf(two, message),
    hmacOf(one, message),
  ]);
});

it('hexadecimal digits are read and written', () => {
  fc.assert(
    fc.property(bytes, (some) => {
      expect(hex(some)).toBe(Buffer.from(some).toString('hex'));
      expect(bytesOf(hex(some))).toEqual(some);
      expect(bytesOf(hex(some).toUpperCase())).toEqual(some);
    }),
  );
});
