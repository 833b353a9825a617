import type { Request } from 'express';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBody } from './readBody.ts';

const KIB = 1024;

/** A start, something again and again, and an end: what is costly to read is of this kind. */
type Shape = { start: string; again: string; end: string };

function bodyOf({ start, again, end }: Shape, bytes: number): Request {
  const room = bytes - Buffer.byteLength(start + end);
  const text = start + again.repeat(Math.floor(room / Buffer.byteLength(again))) + end;
  return { headers: {}, body: Buffer.from(text) } as unknown as Request;
}

/** Of this process alone: what others do meanwhile does not count. */
function costUs(body: Request): number {
  const before = process.cpuUsage();
  for (let count = 0; count < 5; count += 1) {
    try {
      parseBody(body);
    } catch {
      // A refusal has its cost too.
    }
  }
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Below this it is the noise that is measured. A quadratic one of 4 KiB takes a hundred times as long. */
const FLOOR_US = 1_000;

/** The best of several runs, in turns, so that both have the same weather. */
function expectLinear(bodyOfBytes: (bytes: number) => Request): void {
  const [small, large] = [bodyOfBytes(4 * KIB), bodyOfBytes(16 * KIB)];
  let [smallUs, largeUs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let run = 0; run < 20; run += 1) {
    smallUs = Math.min(smallUs, costUs(small));
    largeUs = Math.min(largeUs, costUs(large));
    if (run >= 2 && largeUs < 8 * Math.max(smallUs, FLOOR_US)) return;
  }
  expect(largeUs).toBeLessThan(8 * Math.max(smallUs, FLOOR_US));
}

test.each<[string, Shape]>([
  ['zeros behind a point', { start: '{"amount":1.', again: '0', end: '1}' }],
  ['zeros before a point', { start: '{"amount":1', again: '0', end: '1.1}' }],
  ['an exponent', { start: '{"amount":1e-', again: '0', end: '1}' }],
  ['digits', { start: '{"amount":', again: '7', end: '}' }],
  ['digits further down', { start: '{"a":[', again: '7', end: ']}' }],
  ['backslashes', { start: '{"a":"', again: '\\\\', end: '"}' }],
  ['escaped quotation marks', { start: '{"a":"', again: '\\"', end: '"}' }],
  ['escapes in a key', { start: '{"', again: '\\u0061', end: '":1}' }],
  ['quotation marks that nothing ends', { start: '{', again: '"', end: '' }],
  ['nested lists', { start: '{"a":', again: '[', end: '' }],
  ['nested objects', { start: '', again: '{"a":', end: '' }],
  ['members', { start: '{', again: '"a":1.0,', end: '"b":1}' }],
  ['numbers', { start: '{"a":[', again: '1.0,', end: '1]}' }],
  ['white space', { start: '{', again: ' \n', end: '"a":1}' }],
  ['commas', { start: '{"a":1', again: ',', end: '}' }],
  ['colons', { start: '{"a"', again: ':', end: '}' }],
])('a body of 16 KiB costs what its length costs: %s', (_what, shape) => {
  expectLinear((bytes) => bodyOf(shape, bytes));
});

test('a body of 16 KiB costs what its length costs: different keys', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, place) => `"${place}":1`).join(',');
  expectLinear((bytes) => ({ headers: {}, body: Buffer.from(`{${keys(bytes / 8)}}`) }) as unknown as Request);
});

test('a body of 16 KiB costs what its length costs, whatever repeats in it', () => {
  const again = fc.string({ unit: fc.constantFrom(...'0123456789.-+eE"\\{}[]:, u'), minLength: 1, maxLength: 4 });
  const start = fc.constantFrom('', '{', '{"a":', '{"a":"', '{"a":1.', '{"a":[');
  const end = fc.constantFrom('', '}', '"}', ']}', '1}');
  fc.assert(
    fc.property(fc.record({ start, again, end }), (shape) => expectLinear((bytes) => bodyOf(shape, bytes))),
    { numRuns: 100 },
  );
});
