import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { type EventStream, openStream } from '../support/http.ts';
import { OPENING_MICROS, useOperator, usePlayer } from '../support/testOperator.ts';

const operator = useOperator();
const player = usePlayer(operator);
const streams: EventStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

function statement(query = '?currency=USD') {
  return operator.api('GET', `/players/${player.playerID}/statement${query}`);
}

async function stream(headers: Record<string, string> = {}): Promise<EventStream> {
  const url = `${operator.url}/api/players/${player.playerID}/statement/stream?currency=USD`;
  const opened = await openStream(url, headers);
  streams.push(opened);
  return opened;
}

it('newest first, each entry with the balance after it', async () => {
  const bet = await player.placeBet(2_000_000);
  const creditID = randomUUID();
  await player.credit(bet, 5_000_000, { transactionID: creditID });
  await player.setBalance(0);
  const round = { roundID: bet.facts.roundID, gameID: 'sample' };
  const cash = { roundID: null, gameID: null, transactionID: expect.any(String) };
  const noGrant = { grantID: null, grantClosed: false };
  const common = { id: expect.stringMatching(/^\d+$/), at: expect.stringMatching(/^\d{4}-.*Z$/), ...noGrant };
  const entries = [
    { ...common, ...cash, kind: 'withdrawal', amount: -1_003_000_000, balanceAfter: 0 },
    { ...common, ...round, kind: 'credit', amount: 5_000_000, balanceAfter: 1_003_000_000, transactionID: creditID },
    { ...common, ...round, kind: 'debit', amount: -2_000_000, balanceAfter: 998_000_000, transactionID: bet.debitID },
    { ...common, ...cash, kind: 'deposit', amount: OPENING_MICROS, balanceAfter: OPENING_MICROS },
  ];
  expect(await statement()).toEqual({ status: 200, body: { currency: 'USD', balance: 0, entries } });
});

it('page by page', async () => {
  for (let bet = 1; bet <= 4; bet += 1) await player.placeBet(bet);
  const all = (await statement()).body.entries;
  const first = (await statement('?currency=USD&limit=3')).body.entries;
  const second = (await statement(`?currency=USD&limit=3&before=${first.at(-1).id}`)).body.entries;
  expect([...first, ...second]).toEqual(all);
  expect(second).toHaveLength(2);
});

it('an unused currency is empty, an unknown player is 404, an invalid query is 400', async () => {
  expect((await statement('?currency=EUR')).body).toEqual({ currency: 'EUR', balance: 0, entries: [] });
  for (const path of ['statement', 'statement/stream']) {
    expect((await operator.api('GET', `/players/nobody/${path}`)).status).toBe(404);
  }
  for (const query of ['?limit=0', '?limit=201', '?before=x', '?currency=doge']) {
    expect((await statement(query)).status).toBe(400);
  }
});

it('the stream sends each new entry of this account once, in order, and those of no other account', async () => {
  const other = await operator.newPlayer();
  const following = await stream();
  expect(following).toMatchObject({ status: 200, type: 'text/event-stream; charset=utf-8' });
  await other.placeBet(9);
  await Promise.all([1, 2, 3, 4, 5, 6].map((amount) => player.placeBet(amount)));
  const events = [];
  while (events.length < 6) events.push(await following.next());
  expect(events.map((event) => event?.data.entry)).toEqual((await statement()).body.entries.slice(0, 6).reverse());
  expect(events.map((event) => event?.data.balance)).toEqual(events.map((event) => event?.data.entry.balanceAfter));
  expect(events.at(-1)).toMatchObject({ event: 'entry', data: { balance: OPENING_MICROS - 21 } });
});

it('a repetition adds no entry', async () => {
  const bet = await player.placeBet(1);
  const following = await stream();
  await player.debit(bet, 1);
  await player.credit(bet, 2);
  expect(await following.next()).toMatchObject({ data: { entry: { kind: 'credit' } } });
});

it('a client that connects again continues after its last entry', async () => {
  const amountOf = async (from: EventStream) => (await from.next())?.data.entry.amount;
  const first = await stream();
  await player.placeBet(1);
  const seen = await first.next();
  first.close();
  await player.placeBet(2);
  await player.placeBet(3);
  const second = await stream({ 'last-event-id': seen?.id ?? '' });
  expect([await amountOf(second), await amountOf(second)]).toEqual([-2, -3]);
  const third = await stream({ 'last-event-id': 'nonsense' });
  await player.placeBet(4);
  expect(await amountOf(third)).toBe(-4);
});
