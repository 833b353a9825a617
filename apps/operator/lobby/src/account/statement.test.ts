import { describe, expect, it } from 'vitest';
import type { StatementEntry } from '../api/apiTypes.ts';
import { MAX_ENTRIES, type Statement, withEvent, withNewestPage, withOlderPage } from './statement.ts';

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
