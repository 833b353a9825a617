import { randomUUID } from 'node:crypto';
import { type ListedTransaction, transactionListResponseSchema } from '@roundhouse/contract';
import { beforeAll, expect, test } from 'vitest';
import { TRANSACTIONS_PER_PAGE } from '../../src/wallet/transactions.ts';
import { expectRefused, useOperator } from '../support/testOperator.ts';

const operator = useOperator();
const ALWAYS = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
const made: Partial<ListedTransaction>[] = [];

beforeAll(async () => {
  const [player, other] = [await operator.newPlayer(), await operator.newPlayer({ currency: 'EUR' })];
  const [lost, won, givenBack, never] = [player.newBet(), other.newBet(), player.newBet(), player.newBet()];
  const [creditID, payoutID, rollbackID, vainID] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const note = (bet: typeof lost, transaction: Partial<ListedTransaction>, debitTransactionID?: string) => {
    const { roundID, playerID, currency } = bet.facts;
    const answers = debitTransactionID !== undefined && { debitTransactionID };
    made.push({ roundID, playerID, currency: currency as 'USD', ...transaction, ...answers });
  };
  await player.debit(lost, 1);
  note(lost, { kind: 'debit', transactionID: lost.debitID, amount: 1 });
  await other.debit(won, 2);
  note(won, { kind: 'debit', transactionID: won.debitID, amount: 2 });
  await player.debit(givenBack, 3);
  note(givenBack, { kind: 'debit', transactionID: givenBack.debitID, amount: 3 });
  await player.credit(lost, 0, { transactionID: creditID });
  note(lost, { kind: 'credit', transactionID: creditID, amount: 0 }, lost.debitID);
  await other.credit(won, 4, { transactionID: payoutID });
  note(won, { kind: 'credit', transactionID: payoutID, amount: 4 }, won.debitID);
  await player.rollback(givenBack, { transactionID: rollbackID });
  note(givenBack, { kind: 'rollback', transactionID: rollbackID, amount: 3 }, givenBack.debitID);
  await player.rollback(never, { transactionID: vainID });
  note(never, { kind: 'rollback', transactionID: vainID, amount: 0 }, never.debitID);
  // What moved nothing for the server is not in the list: refusals, repetitions, deposits.
  await player.debit(player.newBet(), 2_000_000_000);
  await player.debit(lost, 1);
  await operator.api('POST', `/players/${player.playerID}/balance`, { currency: 'USD', amount: 5 });
});

async function list(request: object) {
  const { status, body } = await operator.wallet.post('/transactions', request);
  expect(status, JSON.stringify(body)).toBe(200);
  return transactionListResponseSchema.parse(body);
}

test('all that was really moved, oldest first', async () => {
  const { transactions, cursor } = await list(ALWAYS);
  expect(cursor).toBeNull();
  expect(transactions.map(({ at: _at, ...transaction }) => transaction)).toEqual(made);
});

test('from is included, to is not', async () => {
  const start = Date.parse('2020-05-05T00:00:00Z');
  await operator.database.query(
    "UPDATE transactions SET created_at = timestamptz '2020-05-05T00:00:00Z' + id * interval '1 second'",
  );
  const all = (await list(ALWAYS)).transactions;
  const [first, second, third] = all.map(({ at }) => at) as [string, string, string];
  expect(Date.parse(first)).toBeGreaterThan(start);
  expect((await list({ from: first, to: third })).transactions).toEqual(all.slice(0, 2));
  expect((await list({ from: second, to: second })).transactions).toEqual([]);
  const inFinland = second.replace('.000Z', '+00:00');
  expect((await list({ from: inFinland, to: ALWAYS.to })).transactions).toEqual(all.slice(1));
  expect((await list({ from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' })).transactions).toEqual(all);
});

test('page by page, nothing twice and nothing left out', async () => {
  await operator.database.query(
    `INSERT INTO players (external_id) VALUES ('busy');
     INSERT INTO accounts (kind, player_id, currency, balance_micros) SELECT 'player', id, 'USD', 0 FROM players WHERE external_id = 'busy';`,
  );
  await operator.database.query(
    `INSERT INTO bets (debit_id, state) SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'barred' FROM generate_series(1, $1::int) n`,
    [TRANSACTIONS_PER_PAGE * 2],
  );
  await operator.database.query(
    `INSERT INTO transactions (transaction_id, kind, from_account_id, to_account_id, amount_micros, player_account_id,
       balance_after_micros, debit_id, round_id, game_id, created_at)
     SELECT ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, 'rollback', h.id, a.id, 0, a.id, 0, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, n::text, 'sample', '2019-01-01T00:00:00Z'
     FROM generate_series(1, $1::int) AS s (n), accounts h, accounts a JOIN players p ON p.id = a.player_id
     WHERE h.kind = 'house' AND h.currency = 'USD' AND p.external_id = 'busy' ORDER BY s.n`,
    [TRANSACTIONS_PER_PAGE * 2],
  );
  const window = { from: '2019-01-01T00:00:00Z', to: '2019-01-02T00:00:00Z' };
  const first = await list(window);
  expect(first.transactions).toHaveLength(TRANSACTIONS_PER_PAGE);
  const second = await list({ ...window, cursor: first.cursor });
  expect(second.cursor).toBeNull();
  const rounds = [...first.transactions, ...second.transactions].map(({ roundID }) => Number(roundID));
  expect(rounds).toEqual(Array.from({ length: TRANSACTIONS_PER_PAGE * 2 }, (_, index) => index + 1));
});

test('times rise over the whole list, whichever id came first', async () => {
  await operator.database.query(
    "UPDATE transactions SET created_at = timestamptz '2018-01-01T00:00:00Z' + (1000 - id) * interval '1 second' WHERE kind = 'debit'",
  );
  const { transactions } = await list({ from: '2018-01-01T00:00:00Z', to: '2018-01-02T00:00:00Z' });
  const debits = made.filter(({ kind }) => kind === 'debit').map(({ roundID }) => roundID);
  expect(transactions.map(({ roundID }) => roundID)).toEqual(debits.reverse());
});

test('what cannot be read is ERR_VAL', async () => {
  for (const request of [
    {},
    { from: 'today', to: ALWAYS.to },
    { ...ALWAYS, cursor: 'x' },
    { ...ALWAYS, cursor: '7' },
    { ...ALWAYS, cursor: '-1.1' },
  ]) {
    expectRefused(await operator.wallet.post('/transactions', request), 'ERR_VAL');
  }
});
