import { expect, it } from 'vitest';
import { parseSearch, pathOf, pathWithin, stringifySearch, withFilters } from './search.ts';

it('keeps values as the texts that they are', () => {
  const search = { betID: '0123', player: 'a&b=c é', flag: 'true' };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
});

it('leaves out what is not set', () => {
  expect(stringifySearch({ a: '', b: undefined, c: null })).toBe('');
  expect(pathOf('/rounds', { a: undefined, b: 'x y' })).toBe('/rounds?b=x+y');
});

it('drops the cursor with each change of a filter, because it belongs to the old ones', () => {
  expect(withFilters({ cursor: 'abc', game: 'slot', state: 'open' }, { state: undefined, operator: 'acme' })).toEqual({
    game: 'slot',
    operator: 'acme',
  });
});

it.each([
  ['/rounds?betID=5', '/rounds?betID=5'],
  ['//evil.example/x', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  [undefined, '/'],
])('leads after the sign-in from %s to %s', (next, path) => {
  expect(pathWithin(next, 'http://localhost:3002')).toBe(path);
});
