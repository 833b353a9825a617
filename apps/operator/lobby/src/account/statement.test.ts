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

const pageSize = 3;

/** Lines by their numbers, newest first. */
function entries(...ids: number[]): StatementEntry[] {
  return ids.map((id) => ({
    id: String(id),
    at: '2026-11-21T12:00:00.000Z',
    kind: 'debit',
    amount: -1_000_000,
    balanceAfter: id,
    transactionID: `transaction-${id}`,
    roundID: String(id),
    gameID: 'game',
  }));
}

function read(...ids: number[]) {
  return { page: { currency: 'USD' as const, balance: ids[0] ?? 0, entries: entries(...ids) }, pageSize };
}

function idsOf(statement: Statement) {
  return statement.entries.map(({ id }) => Number(id));
}

const known: Statement = { balance: 4, entries: entries(4, 3, 2, 1), hasOlder: false };

describe('withNewestPage', () => {
  it('is the page when nothing is known, and says whether there may be more', () => {
    expect(withNewestPage(undefined, read(3, 2, 1))).toEqual({ balance: 3, entries: entries(3, 2, 1), hasOlder: true });
    expect(withNewestPage(undefined, read(2, 1)).hasOlder).toBe(false);
    expect(withNewestPage(undefined, read()).entries).toEqual([]);
  });

  it('puts what was missed before what is known', () => {
    const statement = withNewestPage(known, read(6, 5, 4));
    expect(idsOf(statement)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(statement.balance).toBe(6);
    expect(statement.hasOlder).toBe(false);
  });

  it('drops what is known when lines between are missing', () => {
    const statement = withNewestPage(known, read(9, 8, 7));
    expect(idsOf(statement)).toEqual([9, 8, 7]);
    expect(statement.hasOlder).toBe(true);
  });
});

describe('withOlderPage', () => {
  it('goes on at the end, each line once', () => {
    const statement = withOlderPage({ balance: 6, entries: entries(6, 5, 4), hasOlder: true }, read(4, 3, 2));
    expect(idsOf(statement)).toEqual([6, 5, 4, 3, 2]);
    expect(statement.balance).toBe(6);
    expect(statement.hasOlder).toBe(true);
  });

  it('ends with a page that is not full', () => {
    expect(withOlderPage(known, read(0)).hasOlder).toBe(false);
  });
});

describe('withEvent', () => {
  const [entry] = entries(5);

  it('puts the line on top and takes its balance', () => {
    const statement = entry && withEvent(known, { entry, balance: 77 });
    expect(statement && idsOf(statement)).toEqual([5, 4, 3, 2, 1]);
    expect(statement?.balance).toBe(77);
  });

  it.each([4, 3])('takes line %i no second time, nor its old balance', (id) => {
    const [again] = entries(id);
    expect(again && withEvent(known, { entry: again, balance: 1 })).toBe(known);
  });

  it('takes no line that a page has left behind', () => {
    const fresh: Statement = { balance: 100, entries: entries(100, 99), hasOlder: true };
    const [missed] = entries(98);
    expect(missed && withEvent(fresh, { entry: missed, balance: 98 })).toBe(fresh);
  });

  it('does not grow for ever', () => {
    const ids = Array.from({ length: MAX_ENTRIES }, (_, index) => MAX_ENTRIES - index);
    const full: Statement = { balance: 0, entries: entries(...ids), hasOlder: false };
    const [next] = entries(MAX_ENTRIES + 1);
    const statement = next && withEvent(full, { entry: next, balance: 0 });
    expect(statement?.entries).toHaveLength(MAX_ENTRIES);
    expect(statement?.entries.at(-1)?.id).toBe('2');
    expect(statement?.hasOlder).toBe(true);
  });
});

function entry(id: number): StatementEntry {
  return {
    id: String(id),
    at: '2026-11-21T12:00:00.000Z',
    kind: 'credit',
    amount: 1,
    balanceAfter: id,
    transactionID: `transaction-${id}`,
    roundID: '1',
    gameID: 'game',
  };
}

function pageOf(...ids: number[]): Result<StatementPage> {
  return { ok: true, value: { currency: 'USD', balance: ids[0] ?? 0, entries: ids.map(entry) } };
}

/** A feed whose stream and answers are in the hands of the test. */
function followed() {
  const target = new EventTarget();
  const stream = Object.assign(target, { readyState: 0, close: () => {} });
  const asked: ((answer: Result<StatementPage>) => void)[] = [];
  const opened: string[] = [];
  const feed = openStatementFeed({
    playerID: 'player 7',
    currency: 'USD',
    api: { statement: () => new Promise((resolve) => asked.push(resolve)) },
    openStream: (url) => {
      opened.push(url);
      return stream as never;
    },
  });
  return {
    feed,
    opened,
    /** Answers the oldest open question. */
    answer: async (answer: Result<StatementPage>) => {
      asked.shift()?.(answer);
      await Promise.resolve();
      await Promise.resolve();
    },
    questions: () => asked.length,
    arrive: (id: number) => {
      const data = JSON.stringify({ entry: entry(id), balance: id });
      target.dispatchEvent(new MessageEvent('entry', { data }));
    },
    say: (type: 'open' | 'error', readyState: number) => {
      stream.readyState = readyState;
      target.dispatchEvent(new Event(type));
    },
    ids: () => feed.statement.value?.entries.map(({ id }) => Number(id)),
  };
}

describe('openStatementFeed', () => {
  it('shows the page, and then each line as it arrives', async () => {
    const { answer, arrive, ids, feed, opened } = followed();
    await answer(pageOf(2, 1));
    arrive(3);
    expect(ids()).toEqual([3, 2, 1]);
    expect(feed.statement.value?.balance).toBe(3);
    expect(opened).toEqual(['api/players/player%207/statement/stream?currency=USD']);
  });

  it('keeps a line that overtakes the page', async () => {
    const { answer, arrive, ids } = followed();
    arrive(3);
    arrive(2);
    await answer(pageOf(2, 1));
    expect(ids()).toEqual([3, 2, 1]);
  });

  it('reads the newest lines again with every connection', async () => {
    const { answer, say, ids, questions, feed } = followed();
    await answer(pageOf(1));
    say('open', 1);
    await answer(pageOf(1));
    say('error', 0);
    expect(feed.connection.value).toBe('connecting');
    say('open', 1);
    expect(questions()).toBe(1);
    await answer(pageOf(3, 2, 1));
    expect(ids()).toEqual([3, 2, 1]);
    expect(feed.connection.value).toBe('live');
  });

  it('says when the stream is given up, and opens it again when asked', async () => {
    const { say, feed, opened } = followed();
    say('error', 2);
    expect(feed.connection.value).toBe('broken');
    feed.retry();
    expect(opened).toHaveLength(2);
    expect(feed.connection.value).toBe('connecting');
  });

  it('says why nothing could be read', async () => {
    const { answer, feed } = followed();
    await answer({ ok: false, failure: { kind: 'unreachable' } });
    expect(feed.failure.value).toEqual({ kind: 'unreachable' });
    expect(feed.statement.value).toBeUndefined();
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
  expect(meaningOf({ kind, amount })).toBe(meaning);
});

it('names the day of a line that is not of today', () => {
  const now = new Date(2026, 10, 21, 12);
  expect(momentText(new Date(2026, 10, 21, 9, 5, 3).toISOString(), now)).toEqual({ time: '09:05:03', day: undefined });
  expect(momentText(new Date(2026, 10, 20, 9, 5, 3).toISOString(), now)).toEqual({ time: '09:05:03', day: '20 Nov' });
});
