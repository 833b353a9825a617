import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { hmacUnder, MOST_MESSAGE_BYTES } from './fairDraw.ts';

const key = Buffer.alloc(32, 7);
const EURO_BYTES = 3;
const euros = '€'.repeat(Math.floor(MOST_MESSAGE_BYTES / EURO_BYTES));

it.each([
  ['an empty message', ''],
  ['the longest message', 'x'.repeat(MOST_MESSAGE_BYTES)],
  ['the longest message of three bytes a character', `${euros}x`],
])('%s has the HMAC of the platform', (_what, message) => {
  expect(hmacUnder(key)(message)).toEqual(createHmac('sha256', key).update(message).digest());
});

it.each([
  ['characters of one byte', 'x'.repeat(MOST_MESSAGE_BYTES + 1)],
  ['characters of three bytes', `${euros}xx`],
])('a message that the buffer would cut, of %s, is an error', (_what, message) => {
  expect(() => hmacUnder(key)(message)).toThrow(RangeError);
});

it('a key of more than a block is an error', () => {
  expect(() => hmacUnder(Buffer.alloc(65))).toThrow(RangeError);
});
