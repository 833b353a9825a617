import { randomUUID } from 'node:crypto';
import { type ListedTransaction, transactionListResponseSchema } from '@roundhouse/contract';
import { beforeAll, expect, it } from 'vitest';
import { TRANSACTIONS_PER_PAGE } from '../../src/wallet/transactionList.ts';
import { useOperator } from '../support/testOperator.ts';
import { type Bet, expectResult } from '../support/walletClient.ts';

const operator = useOperator();
const ALWAYS = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
const made: Partial<ListedTransaction>[] = [];

beforeAll(async () => {
  const [player, other] = [await operator.newPlayer(), await operator.newPlayer({ currency: 'EUR' })];
  const note = ({ debitID, facts }: Bet, kind: ListedTransaction['kind'], amount: number) => {
    const { roundID, playerID, currency } = facts;
    const transactionID = kind === 'debit' ? debitID : randomUUID();
    const ofDebit = kind !== 'debit' && { debitTransactionID: debitID };
    made.push({ kind, transactionID, roundID, playerID, currency: currency as 'USD', amount, ...ofDebit });
    return { transactionID };
  };
  const [lost, won, rolledBack, unknown] = [player.newBet(), other.newBet(), player.newBet(), player.newBet()];
  await player.debit(lost, 1, note(lost, 'debit', 1));
  await other.debit(won, 2, note(won, 'debit', 2));
  await player.debit(rolledBack, 3, note(rolledBack, 'debit', 3));
  await player.credit(lost, 0, note(lost, 'credit', 0));
  await other.credit(won, 4, note(won, 'credit', 4));
  await player.rollback(rolledBack, note(rolledBack, 'rollback', 3));
  await player.rollback(unknown, note(unknown, 'rollback', 0));
  const [free, grant] = [player.newBet(), { grantID: 'a-grant' }];
  await player.debit(free, 0, { ...note(free, 'debit', 0), ...grant, freeBet: 5 });
  await player.credit(free, 0, { ...note(free, 'credit', 0), ...grant });
  await player.credit(free, 6, { ...note(free, 'credit', 6), ...grant, grantClosed: true });
  // The list leaves out refusals, repetitions and deposits.
  await player.debit(player.newBet(), 2_000_000_000);
  await player.debit(lost, 1);
  await player.setBalance(5);
});

async function list(request: object) {
  const { status, body } = await operator.wallet.post('/transactions', request);
  expect(status, JSON.stringify(body)).toBe(200);
  return transactionListResponseSchema.parse(body);
}

it('all transactions of the game server, oldest first', async () => {
  const { transactions, cursor } = await list(ALWAYS);
  expect(cursor).toBeNull();
  expect(transactions.map(({ at: _at, ...transaction }) => transaction)).toEqual(made);
});

it('from is included, to is not', async () => {
  const start = '2020-05-05T00:00:00Z';
  await operator.database.query("UPDATE transactions SET created_at = $1::timestamptz + id * interval '1 second'", [
    start,
  ]);
  const all = (await list(ALWAYS)).transactions;
  const [first, second, third] = all.map(({ at }) => at) as [string, string, string];
  expect(Date.parse(first)).toBeGreaterThan(Date.parse(start));
  expect((await list({ from: first, to: third })).transactions).toEqual(all.slice(0, 2));
  expect((await list({ from: second, to: second })).transactions).toEqual([]);
  const withOffset = second.replace('.000Z', '+00:00');
  expect((await list({ from: withOffset, to: ALWAYS.to })).transactions).toEqual(all.slice(1));
  expect((await list({ from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' })).transactions).toEqual(all);
});

it('page by page, each transaction once', async () => {
  const count = TRANSACTIONS_PER_PAGE * 2;
  const { playerID } = await operator.newPlayer();
  const debitID = "('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid";
  await operator.database.query(
    `INSERT INTO bets (debit_id, state) SELECT ${debitID}, 'barred' FROM generate_series(1, $1::int) n`,
    [count],
  );
  await operator.database.query(
    `INSERT INTO transactions (transaction_id, kind, from_account_id, to_account_id, amount_micros, player_account_id,
       balance_after_micros, debit_id, round_id, game_id, created_at)
     SELECT gen_random_uuid(), 'rollback', h.id, a.id, 0, a.id, a.balance_micros, ${debitID}, n::text, 'sample', '2019-01-01T00:00:00Z'
     FROM generate_series(1, $1::int) AS s (n), accounts h, accounts a JOIN players p ON p.id = a.player_id
     WHERE h.kind = 'house' AND h.currency = 'USD' AND p.external_id = $2 ORDER BY s.n`,
    [count, playerID],
  );
  const window = { from: '2019-01-01T00:00:00Z', to: '2019-01-02T00:00:00Z' };
  const first = await list(window);
  expect(first.transactions).toHaveLength(TRANSACTIONS_PER_PAGE);
  const second = await list({ ...window, cursor: first.cursor });
  expect(second.cursor).toBeNull();
  const rounds = [...first.transactions, ...second.transactions].map(({ roundID }) => Number(roundID));
  expect(rounds).toEqual(Array.from({ length: count }, (_, index) => index + 1));
});

it('times rise over the whole list, whatever the order of ids', async () => {
  await operator.database.query(
    "UPDATE transactions SET created_at = timestamptz '2018-01-01' + (1000 - id) * interval '1 second' WHERE kind = 'debit'",
  );
  const { transactions } = await list({ from: '2017-12-31T00:00:00Z', to: '2018-01-03T00:00:00Z' });
  const debits = made.filter(({ kind }) => kind === 'debit').map(({ roundID }) => roundID);
  expect(transactions.map(({ roundID }) => roundID)).toEqual(debits.reverse());
});

it('a request that is not valid is ERR_VAL', async () => {
  const cursors = ['x', '7', '-1.1'].map((cursor) => ({ ...ALWAYS, cursor }));
  for (const request of [{}, { from: 'today', to: ALWAYS.to }, ...cursors]) {
    expectResult(await operator.wallet.post('/transactions', request), 'ERR_VAL');
  }
});
