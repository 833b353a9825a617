import { expect, it } from 'vitest';
import { cellNumberOf, cellNumberOfSession, idRangeOf, MAX_CELL_NUMBER, sessionMarkOf } from './cellIds.ts';

it('the ranges of two numbers touch no common id, and all are below 2^53', () => {
  for (let number = 0; number < MAX_CELL_NUMBER; number += 1) {
    const { first, last } = idRangeOf(number);
    expect(first).toBeLessThan(last);
    expect(last).toBeLessThan(idRangeOf(number + 1).first);
  }
  expect(idRangeOf(0).first).toBe(1n);
  expect(idRangeOf(MAX_CELL_NUMBER).last).toBe(BigInt(Number.MAX_SAFE_INTEGER));
});

it.each([0, 1, 2, 511, MAX_CELL_NUMBER])('the ids of number %i name it', (number) => {
  const { first, last } = idRangeOf(number);
  expect([first, last].map(cellNumberOf)).toEqual([number, number]);
  // Both wires have ids as JSON numbers.
  expect(BigInt(JSON.parse(String(last)) as number)).toBe(last);
});

it('a sessionID names the cell that has made it', () => {
  const random = 'a-_Z'.repeat(8);
  expect(cellNumberOfSession(`acme:${sessionMarkOf(2)}${random}`)).toBe(2);
  expect(cellNumberOfSession(`${sessionMarkOf(1023)}${random}`)).toBe(1023);
});

it.each([
  ['an id that an operator has chosen', 'acme:session-1'],
  ['the id of a cell of no fleet', `acme:${'a'.repeat(32)}`],
  ['a mark without the random part', 'acme:c2.'],
  ['a random part that is too short', `acme:c2.${'a'.repeat(31)}`],
  ['a random part that is too long', `acme:c2.${'a'.repeat(33)}`],
  ['no number', `acme:c.${'a'.repeat(32)}`],
  ['five digits', `acme:c10234.${'a'.repeat(32)}`],
  ['two operators', `acme:other:c2.${'a'.repeat(32)}`],
  ['nothing', ''],
])('%s names no cell', (_what, sessionID) => {
  expect(cellNumberOfSession(sessionID)).toBeUndefined();
});
