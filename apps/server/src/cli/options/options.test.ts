import { expect, it } from 'vitest';
import { parseInstant, parseMoment } from './options.ts';

it.each([
  ['2030-01-31', '2030-01-31T00:00:00.000Z'],
  ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.000Z'],
  ['2030-01-31T12:00:00+02:00', '2030-01-31T10:00:00.000Z'],
])('reads %s', (text, instant) => {
  expect(parseInstant(text).toISOString()).toBe(instant);
});

it.each(['2030-02-31', '2030-02-31T12:00:00Z', '2030-01-31T12:00:00', '2030-1-31', '31.01.2030', '2030', 'soon', ''])(
  'refuses %j',
  (text) => {
    expect(() => parseInstant(text)).toThrow('A day in UTC like 2030-01-31, a time with its zone');
  },
);

it('reads "never" where a moment may be missing', () => {
  expect(parseMoment('never')).toBeNull();
  expect(() => parseInstant('never')).toThrow('or "now"');
});
