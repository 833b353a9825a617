import type { Request } from 'express';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { becomesWhole, isTooLong, parseBody, topLevelMembers } from './readBody.ts';

const KIB = 1024;

/** Texts that are costly to read have a start, something again and again, and an end. */
type Shape = { start: string; again: string; end: string };
type TextOfBytes = (bytes: number) => string;

const repeating =
  ({ start, again, end }: Shape): TextOfBytes =>
  (bytes) =>
    start + again.repeat(Math.floor((bytes - start.length - end.length) / again.length)) + end;
const differentKeys: TextOfBytes = (bytes) =>
  `{${Array.from({ length: bytes / 8 }, (_, place) => `"${place}":1`).join(',')}}`;

/** Counts the CPU time of this process alone, not that of others. */
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

/** Less is noise. A quadratic reader takes a hundred times as long for 4 KiB. */
const FLOOR_US = 1_000;

/** Takes the best of several runs, in turns, so that both texts meet the same load. */
function expectLinear(textOfBytes: TextOfBytes): void {
  const bodyOf = (bytes: number) => ({ headers: {}, body: Buffer.from(textOfBytes(bytes)) }) as unknown as Request;
  const [small, large] = [bodyOf(4 * KIB), bodyOf(16 * KIB)];
  let [smallUs, largeUs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let run = 0; run < 20; run += 1) {
    smallUs = Math.min(smallUs, costUs(small));
    largeUs = Math.min(largeUs, costUs(large));
    if (run >= 2 && largeUs < 8 * Math.max(smallUs, FLOOR_US)) return;
  }
  expect(largeUs).toBeLessThan(8 * Math.max(smallUs, FLOOR_US));
}

it.each<[string, TextOfBytes]>([
  ['different keys', differentKeys],
  ['zeros behind a point', repeating({ start: '{"amount":1.', again: '0', end: '1}' })],
  ['an exponent', repeating({ start: '{"amount":1e-', again: '0', end: '1}' })],
  ['escaped quotation marks', repeating({ start: '{"a":"', again: '\\"', end: '"}' })],
  ['escapes in a key', repeating({ start: '{"', again: '\\u0061', end: '":1}' })],
  ['quotation marks that nothing ends', repeating({ start: '{', again: '"', end: '' })],
  ['nested objects', repeating({ start: '', again: '{"a":', end: '' })],
  ['members', repeating({ start: '{', again: '"a":1.0,', end: '"b":1}' })],
])('a body of 16 KiB costs what its length costs: %s', (_what, text) => expectLinear(text));

it('any JSON object has the keys that JSON.parse finds, spelled out, and the numbers as they were written', () => {
  const value = fc.oneof(fc.double({ noDefaultInfinity: true, noNaN: true }), fc.maxSafeInteger(), fc.jsonValue());
  const object = fc.dictionary(fc.string({ unit: 'binary' }), value);
  fc.assert(
    fc.property(object, fc.constantFrom(undefined, 2), (each, indent) => {
      const json = JSON.stringify(each, undefined, indent);
      const expected = Object.entries(JSON.parse(json) as object).map(([key, value]) => ({
        key,
        ...(typeof value === 'number' && { number: JSON.stringify(value) }),
      }));
      expect(topLevelMembers(json)).toEqual(expected);
    }),
  );
});

it.each([
  ...['1000000.00000000001', '0.9999999999999999999', '1e-400', '-2.00000000000000000001'],
  ...['10.0000000000000000000001e1', '123456789012345678901234567890.1'],
])('%s becomes whole only by being read', (number) => expect(becomesWhole(number)).toBe(true));

it.each([
  ...['1000000', '1000000.0', '1e6', '1.5e1', '0', '-0', '0.0e5', '0.0', '100e-2'],
  ...['1.25', '0.1', '15e-1', '120.50e1', '0.001e3'],
])('%s does not', (number) => expect(becomesWhole(number)).toBe(false));

it('a whole number stays whole however it is written', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 8 }), (whole, places) => {
      expect(becomesWhole(`${whole}${'0'.repeat(places)}e-${places}`)).toBe(false);
      expect(becomesWhole(`${whole}.${'0'.repeat(places)}0`)).toBe(false);
    }),
  );
});

it('a number of more than 64 characters is too long', () => {
  expect([isTooLong(`1.${'0'.repeat(62)}`), isTooLong(`1.${'0'.repeat(63)}`)]).toEqual([false, true]);
});
