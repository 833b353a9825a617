import { describe, expect, it } from 'vitest';
import type { Answer } from '../api/api.ts';
import type { StatementEntry, StatementPage } from '../api/apiTypes.ts';
import { openStatementFeed } from './statementFeed.ts';

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

function pageOf(...ids: number[]): Answer<StatementPage> {
  return { ok: true, value: { currency: 'USD', balance: ids[0] ?? 0, entries: ids.map(entry) } };
}

/** A feed whose stream and answers are in the hands of the test. */
function followed() {
  const target = new EventTarget();
  const stream = Object.assign(target, { readyState: 0, close: () => {} });
  const asked: ((answer: Answer<StatementPage>) => void)[] = [];
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
    answer: async (answer: Answer<StatementPage>) => {
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
