import { expect, it } from 'vitest';
import { rowsOfDiff } from './diff.ts';

it('shows each leaf once, and marks what differs', () => {
  const before = { url: 'a', limits: { max: 5 }, list: ['x', 'y'], gone: true };
  const after = { url: 'a', limits: { max: 6 }, list: [], added: null };
  expect(rowsOfDiff(before, after)).toEqual([
    { path: 'url', before: 'a', after: 'a', isChanged: false },
    { path: 'limits.max', before: '5', after: '6', isChanged: true },
    { path: 'list', before: 'x, y', after: 'none', isChanged: true },
    { path: 'gone', before: 'yes', after: undefined, isChanged: true },
    { path: 'added', before: undefined, after: 'none', isChanged: true },
  ]);
});

it('names each item of a list of objects, and an empty object is none', () => {
  const rows = rowsOfDiff(undefined, { keys: [{ id: 'a' }, { id: 'b' }], jurisdiction: {} });
  expect(rows.map(({ path, after }) => [path, after])).toEqual([
    ['keys.1.id', 'a'],
    ['keys.2.id', 'b'],
    ['jurisdiction', 'none'],
  ]);
});

it.each([
  [{ daily_wager_limit_micros: 100_000_000 }, 'account 10 of player ann', '100'],
  [{ walletUnitMicros: 1 }, '', '0.000001'],
  [{ max_bet_micros: 2_500_000 }, 'operator acme in EUR', '€2.50'],
  [{ bets_micros: '9007199254740993', currency: 'USD' }, '', '$9,007,199,254.740993'],
  [{ bets: { EUR: 500_000 } }, 'campaign a of operator acme', '€0.50'],
  [{ bet_limits: { default: { betLevels: [500_000, 1_000_000] } } }, '', '0.5, 1'],
  [{ payouts: '1500000' }, 'game a/1.0.0, mode BASE, EUR', '€1.50'],
  [{ settled_at: '2026-11-30T18:13:17.726186+02:00' }, '', '2026-11-30 16:13:17'],
  [{ mode: '' }, '', 'none'],
  [{ rounds: 10 }, 'operator acme in EUR', '10'],
  [{ daily_loss_limit_micros: null }, 'operator acme in EUR', 'none'],
])('shows %j of "%s" as %s', (after, subject, text) => {
  expect(rowsOfDiff(undefined, after, subject)[0]?.after).toBe(text);
});

it('begins with the reason', () => {
  const rows = rowsOfDiff({ level: 1 }, { level: 2, reason: 'why' });
  expect(rows.map(({ path }) => path)).toEqual(['reason', 'level']);
});

it('has no rows when there is nothing', () => expect(rowsOfDiff(null, undefined)).toEqual([]));
