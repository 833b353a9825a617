import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  listOfRounds,
  listUnsettled,
  type TransactionsWanted,
} from '../../../src/store/staff/walletTransactionList.ts';
import { minutesAgo, type TransactionRow, useBooks } from '../../cli/commands/books.ts';
import { startTestAdmin, type TestAdmin } from '../../support/adminServer.ts';
import { HOUR_MS } from '../../support/moveTime.ts';
import type { TestServer } from '../../support/testServer.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const FINANCE = { role: 'finance', email: 'fin@server.example' } as const;
const ACME = { role: 'finance', operator: 'acme', email: 'fin@acme.example' } as const;

const books = useBooks();
let admin: TestAdmin;
const operators = { acme: 0, beta: 0 };

beforeAll(async () => {
  for (const code of ['acme', 'beta'] as const) {
    operators[code] = await books.seamlessOperator(code, 'http://127.0.0.1:9');
  }
  const { db, url: databaseUrl } = books;
  admin = await startTestAdmin({ db, databaseUrl, url: 'http://127.0.0.1:9', logLines: [] as string[] } as TestServer);
});
afterAll(() => admin?.close());

/** Makes a round with a parked credit; returns the id of the credit, and the round. */
async function parked({
  operator = 'acme' as 'acme' | 'beta',
  player = randomUUID() as string,
  createdAt = minutesAgo(10),
  state = 'parked' as 'parked' | 'pending',
} = {}) {
  const credit: TransactionRow = { kind: 'credit', state, createdAt, resultDetail: HOSTILE };
  const session = await books.player(operators[operator], player);
  const { ids, round } = await books.round(session, [{ kind: 'debit', createdAt }, credit]);
  // Otherwise the next round of this player would be a second open one.
  await books.db.round.update({ where: { id: round.id }, data: { endedAt: new Date() } });
  return { id: ids[1] ?? '', betID: Number(round.id), player };
}

const list = (query: Record<string, string | number>, user: Parameters<TestAdmin['as']>[0] = FINANCE) =>
  admin.as(user).call('listWalletTransactions', { query });
const idsOf = ({ body }: { body: { items: { transactionID: string }[] } }) =>
  body.items.map((each) => each.transactionID);

/** Follows the cursors to the end. */
async function idsOfAllPages(query: Record<string, string | number>, user?: Parameters<TestAdmin['as']>[0]) {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await list({ ...query, ...(cursor !== undefined && { cursor }) }, user);
    expect(page.status, page.text).toBe(200);
    ids.push(...idsOf(page));
    cursor = page.body.cursor;
  }
  return ids;
}

async function eventsOf(transactionID: string) {
  const events = await books.db.significantEvent.findMany({
    where: { subject: `wallet transaction ${transactionID}` },
    orderBy: { id: 'asc' },
  });
  return events.map(({ actor, valueBefore, valueAfter }) => ({
    actor,
    before: JSON.parse(valueBefore ?? 'null'),
    after: JSON.parse(valueAfter ?? 'null'),
  }));
}

describe('the list', () => {
  it('has parked ones from the oldest on, with all that a person needs', async () => {
    const young = await parked({ player: 'listed', createdAt: minutesAgo(50) });
    const old = await parked({ player: 'listed', createdAt: minutesAgo(500) });
    const page = await list({ state: 'parked', player: 'listed' });
    expect(idsOf(page)).toEqual([old.id, young.id]);
    expect(page.body.items[0]).toMatchObject({
      ...{ kind: 'credit', state: 'parked', operator: 'acme', playerID: 'listed', gameID: 'a-game', betID: old.betID },
      ...{ amount: 2_000_000, currency: 'USD', attempts: 1, resultCode: 'timeout', resultDetail: HOSTILE },
      ...{ dueAt: null, settledBy: null, settlementNote: null },
    });
    const hour = { from: minutesAgo(60).toISOString(), to: minutesAgo(40).toISOString() };
    expect(idsOf(await list({ state: 'parked', player: 'listed', ...hour }))).toEqual([young.id]);
    expect(idsOf(await list({ state: 'parked', player: 'listed', minAmount: 2_000_001 }))).toEqual([]);
    expect(idsOf(await list({ state: 'parked', player: 'listed', kind: 'rollback' }))).toEqual([]);
  });

  it('has pages that together have each one once, also with a filter that takes few', async () => {
    const wanted: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      const createdAt = minutesAgo(100 - index);
      await parked({ operator: 'beta', createdAt });
      wanted.push((await parked({ player: 'paged', createdAt })).id);
    }
    expect(await idsOfAllPages({ state: 'parked', player: 'paged', limit: 2 })).toEqual(wanted);
    const all: TransactionsWanted = {
      ...{ operatorID: operators.acme, externalID: 'paged', limit: 2, span: 3, after: undefined },
      ...{ kind: undefined, from: undefined, to: undefined, minAmount: undefined, maxAmount: undefined },
    };
    const found: string[] = [];
    for (let page = await listUnsettled(books.db, 'parked', all); ; ) {
      found.push(...page.transactions.map((each) => each.transactionID));
      if (page.next === undefined) break;
      page = await listUnsettled(books.db, 'parked', { ...all, after: page.next });
    }
    expect(found).toEqual(wanted);
    const rounds: string[] = [];
    for (let page = await listOfRounds(books.db, 'parked', { ...all, externalID: undefined }); ; ) {
      rounds.push(...page.transactions.map((each) => each.transactionID));
      if (page.next === undefined) break;
      page = await listOfRounds(books.db, 'parked', { ...all, externalID: undefined, after: page.next });
    }
    expect(rounds.filter((id) => wanted.includes(id))).toEqual(wanted.reverse());
  });

  it('has pending ones by their next attempt', async () => {
    const [first, second] = [await parked({ state: 'pending' }), await parked({ state: 'pending' })];
    for (const [{ id }, dueAt] of [
      [first, new Date(Date.now() + 7_000_000)],
      [second, new Date(Date.now() + 6_000_000)],
    ] as const) {
      await books.db.walletTransaction.update({ where: { transactionId: id }, data: { dueAt } });
    }
    expect(idsOf(await list({ state: 'pending' }))).toEqual([second.id, first.id]);
    expect((await list({ state: 'pending' })).body.items[0]).toMatchObject({
      dueAt: expect.any(String),
      retryUntil: expect.any(String),
    });
  });

  it('says until when a pending one is retried, which the dialect of its wallet may shorten', async () => {
    const { id, player } = await parked({ operator: 'beta', state: 'pending' });
    const retryUntil = new Date(Date.now() + 72 * HOUR_MS);
    await books.db.walletTransaction.update({ where: { transactionId: id }, data: { retryUntil } });
    const shown = async (dialect: string) => {
      await books.db.operator.update({ where: { code: 'beta' }, data: { dialect } });
      return (await list({ state: 'pending', operator: 'beta', player })).body.items[0].retryUntil;
    };
    expect(await shown('pragmatic')).toBe(new Date(retryUntil.getTime() - 48 * HOUR_MS).toISOString());
    expect(await shown('roundhouse')).toBe(retryUntil.toISOString());
  });

  it('has settled ones of a round, of a player, and of an operator since a time', async () => {
    const player = randomUUID();
    const { ids, round } = await books.round(await books.player(operators.acme, player), [
      { kind: 'debit' },
      { kind: 'credit', settledBy: 'person' },
    ]);
    const [debit, credit] = ids;
    expect(idsOf(await list({ betID: Number(round.id) }))).toEqual([credit, debit]);
    expect(idsOf(await list({ betID: Number(round.id), state: 'accepted', kind: 'debit' }))).toEqual([debit]);
    expect(idsOf(await list({ operator: 'acme', player, state: 'accepted' }))).toEqual([credit, debit]);
    expect(await idsOfAllPages({ operator: 'acme', player, limit: 1 })).toEqual([credit, debit]);
    const since = { operator: 'acme', from: minutesAgo(5).toISOString(), limit: 1 };
    expect((await list({ ...since, state: 'accepted' })).body.items[0]).toMatchObject({
      transactionID: credit,
      settledBy: 'person',
      settlementNote: 'seen',
    });
    expect(await idsOfAllPages({ ...since, from: new Date(Date.now() + 3_600_000).toISOString() })).toEqual([]);
  });

  it.each([
    [{}],
    [{ state: 'accepted' }],
    [{ operator: 'acme' }],
    [{ state: 'refused', player: 'listed' }],
    [{ state: 'parked', cursor: 'bm9uZQ' }],
    [{ state: 'parked', cursor: Buffer.from('12 debit').toString('base64url') }],
    [{ state: 'lost' }],
    [{ state: 'parked', limit: 201 }],
    [{ state: 'parked', minAmount: '1.5' }],
    [{ state: 'parked', player: 'a\0' }],
    [{ state: 'parked', from: 'yesterday' }],
    [{ betID: '99999999999999999999' }],
  ])('is refused where it would read everything, or cannot be read: %j', async (query) => {
    expect((await list(query as Record<string, string>)).status).toBe(400);
  });

  it("of an operator's user never has those of another one", async () => {
    const { player, betID, id } = await parked({ operator: 'beta', player: 'of-beta' });
    for (const query of [
      { state: 'parked', limit: 200 },
      { state: 'parked', operator: 'beta' },
      { state: 'parked', player },
      { betID },
      { player, operator: 'beta' },
    ]) {
      expect(await idsOfAllPages(query, ACME)).not.toContain(id);
    }
    expect(idsOf(await list({ betID }))).toContain(id);
    expect(idsOf(await list({ state: 'parked', operator: 'nobody' }))).toEqual([]);
  });
});

describe('retry', () => {
  const retry = (transactionIDs: string[], user: Parameters<TestAdmin['as']>[0] = FINANCE) =>
    admin.as(user).call('retryWalletTransactions', { body: { transactionIDs } });
  const stateOf = async (transactionId: string) =>
    (await books.db.walletTransaction.findUniqueOrThrow({ where: { transactionId } })).state;

  it('makes a selection due again, and says of each other one why not and who was first', async () => {
    const [one, two, settled] = [await parked(), await parked(), await parked()];
    await admin.as(FINANCE).call('settleWalletTransaction', {
      params: { transactionID: settled.id },
      body: { reason: 'seen' },
    });
    const unknown = randomUUID();
    const { body } = await retry([one.id.toUpperCase(), two.id, two.id, settled.id, unknown]);
    expect(body.retried.sort()).toEqual([one.id, two.id].sort());
    expect(body.notRetried).toEqual([
      { transactionID: settled.id, state: 'accepted', by: `user:${FINANCE.email}`, at: expect.any(String) },
      { transactionID: unknown, state: null, by: null, at: null },
    ]);
    expect(await eventsOf(one.id)).toMatchObject([
      { actor: `user:${FINANCE.email}`, before: { state: 'parked' }, after: { state: 'pending' } },
    ]);
    const again = await retry([one.id], { role: 'support' });
    expect(again.body.notRetried).toMatchObject([{ state: 'pending', by: `user:${FINANCE.email}` }]);
  });

  it('of two at once does each one once, whatever the order of their selections', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await parked()).id));
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) => retry(index % 2 === 0 ? ids : [...ids].reverse())),
    );
    expect(responses.flatMap(({ body }) => body.retried).sort()).toEqual([...ids].sort());
    for (const { body } of responses) expect(body.retried.length + body.notRetried.length).toBe(ids.length);
  });

  it("leaves another operator's as it was, and does not say that it exists", async () => {
    const { id } = await parked({ operator: 'beta' });
    expect((await retry([id], ACME)).body).toEqual({
      retried: [],
      notRetried: [{ transactionID: id, state: null, by: null, at: null }],
    });
    expect(await stateOf(id)).toBe('parked');
  });

  it.each([[[]], [['1']], [Array.from({ length: 201 }, () => randomUUID())]])('is refused: %#', async (ids) => {
    expect((await retry(ids)).status).toBe(400);
  });
});

describe('settle', () => {
  const settle = (transactionID: string, user: Parameters<TestAdmin['as']>[0] = FINANCE, reason = 'ticket 4711') =>
    admin.as(user).call('settleWalletTransaction', { params: { transactionID }, body: { reason } });

  it('marks it as accepted by hand, and the event has the user and both values', async () => {
    const { id, betID } = await parked();
    const { status, body } = await settle(id, FINANCE, HOSTILE);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { state: 'accepted', settledBy: 'person', settlementNote: HOSTILE, betID },
    });
    expect(await eventsOf(id)).toMatchObject([
      {
        actor: `user:${FINANCE.email}`,
        before: { state: 'parked', settlement_note: null },
        after: { state: 'accepted', settlement_note: HOSTILE },
      },
    ]);
    const round = await books.db.round.findUniqueOrThrow({ where: { id: BigInt(betID) } });
    expect(round).toMatchObject({ walletState: 'credited', endedAt: expect.any(Date) });
    const late = await settle(id, { role: 'finance', email: 'late@server.example' });
    expect([late.status, late.body]).toEqual([
      409,
      expect.objectContaining({ by: `user:${FINANCE.email}`, at: expect.any(String) }),
    ]);
    expect(late.body.message).toContain('accepted');
  });

  it('waits for a second user, who settles it once and with all that follows for the round', async () => {
    const strict = await startTestAdmin(
      { db: books.db, databaseUrl: books.url, url: 'http://127.0.0.1:9', logLines: [] as string[] } as TestServer,
      { twoPerson: true },
    );
    try {
      const { id, betID, player } = await parked();
      const request = { params: { transactionID: id }, body: { reason: 'ticket 4712' } };
      const { status, body } = await strict.as(FINANCE).call('settleWalletTransaction', request);
      expect(status).toBe(202);
      // The trial of the request has changed nothing.
      expect(await eventsOf(id)).toEqual([]);
      const second = { role: 'finance', email: 'second@server.example' } as const;
      const decided = await strict
        .as(second)
        .call('decideApproval', { params: { approvalID: body.approvalID }, body: { decision: 'approve' } });
      expect(decided.body).toMatchObject({
        outcome: { status: 200, message: null },
        what: `Settle the credit of round ${betID} by hand: our records then say that $2.00 was paid to player ${player} of operator acme, and it is never sent again.`,
        details: [
          { field: 'Attempts', before: null, after: '1' },
          { field: 'Last result', before: null, after: HOSTILE },
          { field: 'Reason', before: null, after: 'ticket 4712' },
        ],
      });
      expect(await eventsOf(id)).toMatchObject([{ actor: `user:${FINANCE.email}`, after: { state: 'accepted' } }]);
      const round = await books.db.round.findUniqueOrThrow({ where: { id: BigInt(betID) } });
      expect(round).toMatchObject({ walletState: 'credited', endedAt: expect.any(Date) });
    } finally {
      await strict.close();
    }
  });

  it("of another operator's is like of none", async () => {
    const { id } = await parked({ operator: 'beta' });
    const [others, none] = [await settle(id, ACME), await settle(randomUUID(), ACME)];
    expect([others.status, others.body]).toEqual([404, none.body]);
    expect(await eventsOf(id)).toEqual([]);
    expect((await settle(id, { ...ACME, operator: 'beta' })).status).toBe(200);
  });

  it('needs a reason', async () => {
    const { id } = await parked();
    for (const reason of ['', '  ', 'x'.repeat(201), 'a\0', '\ud800'])
      expect((await settle(id, FINANCE, reason)).status).toBe(400);
    expect(await eventsOf(id)).toEqual([]);
  });
});
