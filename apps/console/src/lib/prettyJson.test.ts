import { expect, it } from 'vitest';
import { prettyJson } from './prettyJson.ts';

it('puts a reel on one line, and keeps the value', () => {
  const event = {
    board: [
      ['H2', 'L5'],
      ['[\n', ']'],
    ],
    empty: [],
    flags: [true, null],
    text: 'a\nb',
  };
  const text = prettyJson(event);
  expect(text).toContain('["H2", "L5"]');
  expect(text).toContain('"flags": [true, null]');
  expect(JSON.parse(text)).toEqual(event);
});
