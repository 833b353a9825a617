import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EventStream, openStream } from '../support/eventStream.ts';
import { OPENING_MICROS, useOperator } from '../support/testOperator.ts';
import type { PlayerCalls } from '../support/walletClient.ts';

const operator = useOperator();
let player: PlayerCalls;
let streams: EventStream[] = [];
beforeEach(async () => {
  player = await operator.newPlayer();
});
afterEach(() => {
  for (const stream of streams) stream.close();
  streams = [];
});

function statement(query = '?currency=USD') {
  return operator.api('GET', `/players/${player.playerID}/statement${query}`);
}

async function stream(headers: Record<string, string> = {}, currency = 'USD'): Promise<EventStream> {
  const path = `${operator.url}/api/players/${player.playerID}/statement/stream?currency=${currency}`;
  const opened = await openStream(path, headers);
  streams.push(opened);
  return opened;
}

test('newest first, each entry with what was left after it', async () => {
  const bet = player.newBet();
  await player.debit(bet, 2_000_000);
  const creditID = randomUUID();
  await player.credit(bet, 5_000_000, { transactionID: creditID });
  await operator.api('POST', `/players/${player.playerID}/balance`, { currency: 'USD', amount: 0 });
  const { status, body } = await statement();
  const round = { roundID: bet.facts.roundID, gameID: 'sample' };
  const cash = { roundID: null, gameID: null, transactionID: expect.any(String) };
  const common = { id: expect.stringMatching(/^\d+$/), at: expect.stringMatching(/^\d{4}-.*Z$/) };
  expect(status).toBe(200);
  expect(body).toEqual({
    currency: 'USD',
    balance: 0,
    entries: [
      { ...common, ...cash, kind: 'withdrawal', amount: -1_003_000_000, balanceAfter: 0 },
      { ...common, ...round, kind: 'credit', amount: 5_000_000, balanceAfter: 1_003_000_000, transactionID: creditID },
      { ...common, ...round, kind: 'debit', amount: -2_000_000, balanceAfter: 998_000_000, transactionID: bet.debitID },
      { ...common, ...cash, kind: 'deposit', amount: OPENING_MICROS, balanceAfter: OPENING_MICROS },
    ],
  });
});

test('page by page', async () => {
  for (let bet = 1; bet <= 4; bet += 1) await player.debit(player.newBet(), bet);
  const all = (await statement()).body.entries;
  const first = (await statement('?currency=USD&limit=3')).body.entries;
  const second = (await statement(`?currency=USD&limit=3&before=${first.at(-1).id}`)).body.entries;
  expect([...first, ...second]).toEqual(all);
  expect(second).toHaveLength(2);
});

test('a currency that was never used is empty, an unknown player is 404, nonsense is 400', async () => {
  expect((await statement('?currency=EUR')).body).toEqual({ currency: 'EUR', balance: 0, entries: [] });
  expect((await operator.api('GET', '/players/nobody/statement')).status).toBe(404);
  expect((await operator.api('GET', '/players/nobody/statement/stream')).status).toBe(404);
  for (const query of ['?limit=0', '?limit=201', '?before=x', '?currency=DOGE']) {
    expect((await statement(query)).status).toBe(400);
  }
});

test('the stream tells each new entry of this account once, in order, and those of nobody else', async () => {
  const other = await operator.newPlayer();
  const following = await stream();
  expect(following).toMatchObject({ status: 200, type: 'text/event-stream; charset=utf-8' });
  await other.debit(other.newBet(), 9);
  const amounts = [1, 2, 3, 4, 5, 6];
  await Promise.all(amounts.map((amount) => player.debit(player.newBet(), amount)));
  const events = [];
  for (const _ of amounts) events.push(await following.next());
  expect(events.map((event) => event?.data.entry)).toEqual((await statement()).body.entries.slice(0, 6).reverse());
  expect(events.map((event) => event?.data.balance)).toEqual(events.map((event) => event?.data.entry.balanceAfter));
  expect(events.at(-1)).toMatchObject({ event: 'entry', data: { balance: OPENING_MICROS - 21 } });
});

test('a repetition is no new entry', async () => {
  const bet = player.newBet();
  await player.debit(bet, 1);
  const following = await stream();
  await player.debit(bet, 1);
  await player.credit(bet, 2);
  expect(await following.next()).toMatchObject({ data: { entry: { kind: 'credit' } } });
});

test('who was cut off goes on where they were', async () => {
  const first = await stream();
  await player.debit(player.newBet(), 1);
  const seen = await first.next();
  first.close();
  await player.debit(player.newBet(), 2);
  await player.debit(player.newBet(), 3);
  const second = await stream({ 'last-event-id': seen?.id ?? '' });
  expect(await second.next()).toMatchObject({ data: { entry: { amount: -2 } } });
  expect(await second.next()).toMatchObject({ data: { entry: { amount: -3 } } });
  const third = await stream({ 'last-event-id': 'nonsense' });
  await player.debit(player.newBet(), 4);
  expect(await third.next()).toMatchObject({ data: { entry: { amount: -4 } } });
});
