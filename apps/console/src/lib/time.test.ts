import { expect, it } from 'vitest';
import { localText, utcInstant } from './time.ts';

it.each([
  ['2026-11-29', '2026-11-29T00:00:00.000Z'],
  [' 2026-11-29 14:05 ', '2026-11-29T14:05:00.000Z'],
  ['2026-11-29T14:05:09', '2026-11-29T14:05:09.000Z'],
  ['2026-11-29T14:05:09.120+02:00', '2026-11-29T12:05:09.120Z'],
  ['2026-02-30', undefined],
  ['2026-13-01', undefined],
  ['11/29/2026', undefined],
  ['2026-11-29 25:00', undefined],
  ['', undefined],
  [undefined, undefined],
])('reads %j as %j', (text, instant) => {
  expect(utcInstant(text)).toBe(instant);
});

it('writes a local time as it writes UTC, with its zone', () => {
  expect(localText('2026-11-29T14:05:09.120Z')).toMatch(/^2026-11-(28|29|30) \d\d:\d\d:\d\d \S+$/);
});
