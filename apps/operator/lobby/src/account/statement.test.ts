import { describe, expect, it } from 'vitest';
import type { Result, StatementEntry, StatementPage } from '../api.ts';
import {
  MAX_ENTRIES,
  meaningOf,
  momentText,
  openStatementFeed,
  type Statement,
  withEvent,
  withNewestPage,
  withOlderPage,
} from './statement.ts';

function entry(id: number): StatementEntry {
  const at = '2026-11-21T12:00:00.000Z';
  const round = {
    transactionID: `transaction-${id}`,
    roundID: String(id),
    gameID: 'game',
    grantID: null,
    grantClosed: false,
  };
  return { id: String(id), at, kind: 'debit', amount: -1_000_000, balanceAfter: id, ...round };
}

/** Returns a statement with these ids, newest first. */
function statement(ids: number[], hasOlder = false): Statement {
  return { balance: ids[0] ?? 0, entries: ids.map(entry), hasOlder };
}

function pageOf(...ids: number[]): StatementPage {
  return { currency: 'USD', balance: ids[0] ?? 0, entries: ids.map(entry) };
}

const read = (...ids: number[]) => ({ page: pageOf(...ids), pageSize: 3 });
const known = statement([4, 3, 2, 1]);

it.each([
  ['is the page when nothing is known', undefined, [3, 2, 1], statement([3, 2, 1], true)],
  ['has no older entries when the page is not full', undefined, [2, 1], statement([2, 1])],
  ['is empty without entries', undefined, [], statement([])],
  ['puts the missed entries before the known ones', known, [6, 5, 4], statement([6, 5, 4, 3, 2, 1])],
  ['drops the known entries when there is a gap', known, [9, 8, 7], statement([9, 8, 7], true)],
])('withNewestPage %s', (_, before, ids, after) => {
  expect(withNewestPage(before, read(...ids))).toEqual(after);
});

it.each([
  ['adds each entry once at the end', statement([6, 5, 4], true), [4, 3, 2], statement([6, 5, 4, 3, 2], true)],
  ['ends with a page that is not full', known, [0], statement([4, 3, 2, 1, 0])],
])('withOlderPage %s', (_, before, ids, after) => {
  expect(withOlderPage(before, read(...ids))).toEqual(after);
});

describe('withEvent', () => {
  it('puts the entry on top and takes its balance', () => {
    const after = { ...statement([5, 4, 3, 2, 1]), balance: 77 };
    expect(withEvent(known, { entry: entry(5), balance: 77 })).toEqual(after);
  });

  it.each([
    [4, known],
    [3, known],
    [98, statement([100, 99], true)],
  ])('ignores entry %i, which is not newer', (id, before) => {
    expect(withEvent(before, { entry: entry(id), balance: 1 })).toBe(before);
  });

  it('drops the oldest entry of a full statement', () => {
    const full = statement(Array.from({ length: MAX_ENTRIES }, (_, index) => MAX_ENTRIES - index));
    const { entries, hasOlder } = withEvent(full, { entry: entry(MAX_ENTRIES + 1), balance: 0 });
    expect([entries.length, entries.at(-1)?.id, hasOlder]).toEqual([MAX_ENTRIES, '2', true]);
  });
});

/** Returns a feed whose stream and responses the test controls. */
function followed() {
  const target = new EventTarget();
  const stream = Object.assign(target, { readyState: 0, close: () => {} });
  const pending: ((result: Result<StatementPage>) => void)[] = [];
  const opened: string[] = [];
  const feed = openStatementFeed({
    playerID: 'player 7',
    currency: 'USD',
    api: { statement: () => new Promise((resolve) => pending.push(resolve)) },
    openStream: (url) => {
      opened.push(url);
      return stream as never;
    },
  });
  return {
    feed,
    opened,
    pending,
    /** Responds to the oldest pending request. */
    respond: async (result: Result<StatementPage>) => {
      pending.shift()?.(result);
      await Promise.resolve();
      await Promise.resolve();
    },
    arrive: (id: number) => {
      const data = JSON.stringify({ entry: entry(id), balance: id });
      target.dispatchEvent(new MessageEvent('entry', { data }));
    },
    dispatch: (type: 'open' | 'error', readyState: number) => {
      stream.readyState = readyState;
      target.dispatchEvent(new Event(type));
    },
    ids: () => feed.statement.value?.entries.map(({ id }) => Number(id)),
  };
}

const ok = (...ids: number[]) => ({ ok: true as const, value: pageOf(...ids) });

describe('openStatementFeed', () => {
  it('shows the page, and then each entry of the stream', async () => {
    const { respond, arrive, ids, feed, opened } = followed();
    await respond(ok(2, 1));
    arrive(3);
    expect([ids(), feed.statement.value?.balance]).toEqual([[3, 2, 1], 3]);
    expect(opened).toEqual(['api/players/player%207/statement/stream?currency=USD']);
  });

  it('keeps an entry that arrives before the page', async () => {
    const { respond, arrive, ids } = followed();
    arrive(3);
    arrive(2);
    await respond(ok(2, 1));
    expect(ids()).toEqual([3, 2, 1]);
  });

  it('reads the newest entries again with every connection', async () => {
    const { respond, dispatch, ids, pending, feed } = followed();
    await respond(ok(1));
    dispatch('open', 1);
    await respond(ok(1));
    dispatch('error', 0);
    expect(feed.connection.value).toBe('connecting');
    dispatch('open', 1);
    expect(pending).toHaveLength(1);
    await respond(ok(3, 2, 1));
    expect([ids(), feed.connection.value]).toEqual([[3, 2, 1], 'live']);
  });

  it('is broken when the browser closes the stream, and retry opens it again', () => {
    const { dispatch, feed, opened } = followed();
    dispatch('error', 2);
    expect(feed.connection.value).toBe('broken');
    feed.retry();
    expect([opened.length, feed.connection.value]).toEqual([2, 'connecting']);
  });

  it('has the failure of the last read', async () => {
    const { respond, feed } = followed();
    await respond({ ok: false, failure: { kind: 'unreachable' } });
    expect([feed.failure.value, feed.statement.value]).toEqual([{ kind: 'unreachable' }, undefined]);
  });
});

it.each([
  ['debit', -1, 'bet'],
  ['credit', 5, 'win'],
  ['credit', 0, 'closed'],
  ['rollback', 1, 'returned'],
  ['rollback', 0, 'returned'],
  ['deposit', 1, 'deposit'],
  ['withdrawal', -1, 'withdrawal'],
] as const)('%s of %i is a %s', (kind, amount, meaning) => {
  expect(meaningOf({ kind, amount, grantID: null, grantClosed: false })).toBe(meaning);
});

it.each([
  ['debit', 0, false, 'free'],
  ['credit', 5, false, 'win'],
  ['credit', 0, false, 'closed'],
  ['credit', 5, true, 'winnings'],
] as const)('of a grant, %s of %i, the last one: %s, is a %s', (kind, amount, grantClosed, meaning) => {
  expect(meaningOf({ kind, amount, grantID: 'welcome', grantClosed })).toBe(meaning);
});

it.each([
  [21, undefined],
  [20, '20 Nov'],
])('an entry of day %i has the day %s', (date, day) => {
  const at = new Date(2026, 10, date, 9, 5, 3).toISOString();
  expect(momentText(at, new Date(2026, 10, 21, 12))).toEqual({ time: '09:05:03', day });
});
