import { expect, it } from 'vitest';
import { rowsOfDiff } from './diff.ts';

it('shows each leaf once, and marks what differs', () => {
  const before = { url: 'a', limits: { max: 5 }, list: ['x'], gone: true };
  const after = { url: 'a', limits: { max: 6 }, list: [], added: null };
  expect(rowsOfDiff(before, after)).toEqual([
    { path: 'url', before: 'a', after: 'a', isChanged: false },
    { path: 'limits.max', before: '5', after: '6', isChanged: true },
    { path: 'list[0]', before: 'x', after: undefined, isChanged: true },
    { path: 'gone', before: 'yes', after: undefined, isChanged: true },
    { path: 'list', before: undefined, after: '[]', isChanged: true },
    { path: 'added', before: undefined, after: 'none', isChanged: true },
  ]);
});

it('has no rows when there is nothing', () => expect(rowsOfDiff(null, undefined)).toEqual([]));
