import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { toMicros } from '@roundhouse/contract';
import { type FakeWallet, startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findWalletOperator, type WalletOperator } from '../../src/ledger/queries/operators.ts';
import { type Difference, transactionIDOf } from '../../src/reconcile/comparison.ts';
import { type ReconcileOptions, reconcile } from '../../src/reconcile/reconcile.ts';
import { createWalletClient, type WalletClient } from '../../src/wallets/seamless/walletClient.ts';
import { expectOneLine, runRoundhouse, succeed } from '../support/roundhouse.ts';
import { minutesAgo, openBooks, type Seamless, type TransactionRow } from './books.ts';

const UNIT = toMicros(1_000_000);

type Player = Awaited<ReturnType<Seamless['player']>>;

let books: Seamless;
let wallet: FakeWallet;
let client: WalletClient;
let operator: WalletOperator;
let player: Player;

async function start(options: Parameters<typeof startFakeWallet>[0] = {}): Promise<void> {
  wallet = await startFakeWallet(options);
  books = await openBooks();
  client = createWalletClient();
  const operatorID = await books.seamlessOperator('acme', wallet.url, wallet.secret);
  player = await books.player(operatorID, 'player-7');
  operator = (await findWalletOperator(books.db, { operatorID })) as WalletOperator;
}
afterEach(async () => {
  await client.close();
  await wallet.close();
  await books.close();
});

/**
 * A round in our books; `sent` are the wallet transactions that reach the operator too, in their
 * order.
 */
async function round(
  transactions: readonly TransactionRow[],
  sent: readonly TransactionRow['kind'][],
  { payout = 2n * BigInt(UNIT) } = {},
) {
  const written = await books.round(player, transactions, { payout });
  const idOf = (kind: string) => written.ids[transactions.findIndex((each) => each.kind === kind)] ?? randomUUID();
  const facts = { roundID: String(written.round.id), playerID: 'player-7', gameID: 'a-game', currency: 'USD' as const };
  const debitTransactionID = idOf('debit');
  for (const kind of sent) {
    const transactionID = idOf(kind);
    const body = { ...facts, transactionID };
    if (kind === 'debit')
      await client.send(operator, 'debit', { ...body, sessionID: wallet.sessionID, amount: UNIT, mode: 'BASE' });
    if (kind === 'credit')
      await client.send(operator, 'credit', { ...body, debitTransactionID, amount: Number(payout), roundClosed: true });
    if (kind === 'rollback') await client.send(operator, 'rollback', { ...body, debitTransactionID, reason: 'a test' });
  }
  return { ...written, debitID: debitTransactionID, creditID: idOf('credit'), rollbackID: idOf('rollback') };
}

/**
 * Once the clock has left the millisecond of the last transaction: an end that is not in the time
 * any more comes after all of them.
 */
async function nextMillisecond(): Promise<Date> {
  const before = Date.now();
  while (Date.now() <= before) await setImmediate();
  return new Date();
}

const paid: TransactionRow[] = [{ kind: 'debit' }, { kind: 'credit' }];
const ABANDONED: TransactionRow = { kind: 'debit', state: 'abandoned' };

async function differencesOf(options: Partial<ReconcileOptions> = {}) {
  const differences: Difference[] = [];
  const unsettled: string[] = [];
  const outcome = await reconcile({
    db: books.db,
    client,
    operator,
    from: undefined,
    to: undefined,
    onDifference: (difference) => void differences.push(difference),
    onUnsettled: ({ transactionID }) => void unsettled.push(transactionID),
    ...options,
  });
  const found = differences.map((each) => `${each.kind} ${transactionIDOf(each)}`);
  return { found, unsettled, outcome };
}

describe('against an honest wallet', () => {
  beforeEach(() => start());

  test('rounds of every fate, over several pages, make no difference', async () => {
    for (let count = 0; count < 15; count += 1)
      await round(paid, ['debit', 'credit'], { payout: BigInt(count) * 10_000n });
    await round([{ kind: 'debit', state: 'refused' }], []);
    await round([ABANDONED, { kind: 'rollback', resultCode: 'ERR_BNF' }], ['rollback']);
    await round([ABANDONED, { kind: 'rollback' }], ['debit', 'rollback']);
    const pending = await round([{ kind: 'debit' }, { kind: 'credit', state: 'pending' }], ['debit']);
    const parked = await round([ABANDONED, { kind: 'rollback', state: 'parked' }], ['debit', 'rollback']);
    const { found, unsettled, outcome } = await differencesOf();
    expect(found).toEqual([]);
    expect(unsettled.sort()).toEqual([pending.creditID, parked.rollbackID].sort());
    expect(outcome).toMatchObject({ ok: true, ours: 39 });
  });

  test('what is lost, changed or made up on either side is named', async () => {
    const lost = await round(paid, ['debit']);
    const never = await round([{ kind: 'debit', state: 'refused', resultCode: 'ERR_GE' }], ['debit']);
    const kept = await round([ABANDONED, { kind: 'rollback', resultCode: 'ERR_BNF' }], ['debit']);
    const forgotten = await round(paid, ['debit', 'credit']);
    const changed = await round(paid, ['debit', 'credit']);
    await books.db.walletTransaction.delete({ where: { transactionId: forgotten.creditID } });
    await books.db.walletTransaction.update({ where: { transactionId: changed.creditID }, data: { amountMicros: 3n } });
    // What they list now is of a minute that is compared only when the time goes on until now.
    expect((await differencesOf({ to: await nextMillisecond() })).found.sort()).toEqual(
      [
        `missing ${lost.creditID}`,
        `never_taken ${never.debitID}`,
        `never_taken ${kept.debitID}`,
        `not_ours ${forgotten.creditID}`,
        `unlike ${changed.creditID}`,
      ].sort(),
    );
  });

  test('a transaction of another operator is not one of ours', async () => {
    const other = await books.player(await books.seamlessOperator('other', wallet.url, wallet.secret), 'player-7');
    const { ids } = await books.round(other, paid);
    const [transactionID = ''] = ids;
    const facts = { roundID: '1', playerID: 'player-7', gameID: 'a-game', currency: 'USD' as const, mode: 'BASE' };
    await client.send(operator, 'debit', { ...facts, transactionID, sessionID: wallet.sessionID, amount: UNIT });
    expect((await differencesOf({ to: await nextMillisecond() })).found).toEqual([`not_ours ${transactionID}`]);
  });

  test('the borders of the time make no difference: what was repeated until much later is found', async () => {
    const [then, now] = [minutesAgo(90), new Date()];
    await round(
      [
        { kind: 'debit', createdAt: then },
        { kind: 'credit', createdAt: then, settledAt: now },
      ],
      ['debit', 'credit'],
    );
    const rollback: TransactionRow = { kind: 'rollback', createdAt: minutesAgo(30), settledAt: now };
    const voided = await round([{ ...ABANDONED, createdAt: then }, rollback], ['debit', 'rollback']);
    const hour = { from: minutesAgo(120), to: minutesAgo(60) };
    expect(await differencesOf(hour)).toMatchObject({ found: [], outcome: { ours: 3 } });
    expect(await differencesOf({ from: minutesAgo(60), to: now })).toMatchObject({ found: [], outcome: { ours: 1 } });
    await books.db.walletTransaction.update({
      where: { transactionId: voided.rollbackID },
      data: { resultCode: 'ERR_BNF' },
    });
    expect((await differencesOf(hour)).found).toEqual([`never_taken ${voided.debitID}`]);
  });

  test('each wallet transaction is in exactly one of two times that meet', async () => {
    const border = minutesAgo(30);
    const before = await round([{ kind: 'debit', createdAt: new Date(border.getTime() - 1) }], []);
    const after = await round([{ kind: 'debit', createdAt: border }], []);
    expect((await differencesOf({ from: minutesAgo(60), to: border })).found).toEqual([`missing ${before.debitID}`]);
    expect((await differencesOf({ from: border })).found).toEqual([`missing ${after.debitID}`]);
  });

  test('what is settled while the lists are read counts as not settled', async () => {
    const settledAt = new Date(Date.now() + 60_000);
    const { debitID } = await round([{ kind: 'debit', createdAt: minutesAgo(5), settledAt }], []);
    expect(await differencesOf()).toMatchObject({ found: [], unsettled: [debitID] });
  });
});

describe('against a wallet that lists', () => {
  test.each([
    ['a transaction twice', 'lists a transaction twice', 'listed_twice'],
    ['no losing rounds', 'lists no losing rounds', 'missing'],
  ] as const)('%s, the wallet transaction is named', async (_what, broken, kind) => {
    await start({ broken });
    const { debitID, creditID } = await round(paid, ['debit', 'credit'], { payout: 0n });
    expect((await differencesOf()).found).toEqual([`${kind} ${kind === 'missing' ? creditID : debitID}`]);
  });

  test.each(['lists newest first', 'ignores the window'] as const)(
    'otherwise (%s), nothing is made up',
    async (broken) => {
      await start({ broken });
      for (let count = 0; count < 12; count += 1) await round(paid, ['debit', 'credit']);
      expect((await differencesOf()).found).toEqual([]);
    },
  );

  test('without end, it is told', async () => {
    await start({ broken: 'lists without end' });
    expect((await differencesOf()).outcome).toMatchObject({ ok: false, refusal: { kind: 'unreadable' } });
  });
});

describe('roundhouse reconcile', () => {
  const run = (...args: string[]) => runRoundhouse(['reconcile', ...args], { env: books.env });

  test('prints differences, and apart from them what is not settled', async () => {
    await start();
    await round(paid, ['debit', 'credit']);
    expect(await succeed(['reconcile', 'acme'], { env: books.env })).toMatch(
      /^No difference from \S+Z to \S+Z: 2 wallet transactions here, \d in the list of acme\.\n$/,
    );
    const lost = await round(
      [
        { kind: 'debit', state: 'parked', resultDetail: 'time-out' },
        { kind: 'credit', amount: 1_500_001n },
      ],
      [],
    );
    const exit = await run('acme', '--to', 'now');
    const facts = `of round ${lost.round.id}, player player-7,`;
    expect(exit).toMatchObject({ code: 1, stderr: '' });
    expect(exit.stdout).toMatch(
      new RegExp(
        `^${lost.creditID}  credit ${facts} 1\\.500001 USD: accepted here, not in their list\n` +
          `Not settled, and not compared:\n  ${lost.debitID}  debit ${facts} 1\\.00 USD: parked \\(time-out\\)\n` +
          '1 difference from \\S+ to \\S+: 4 wallet transactions here, 2 in the list of acme\\.\n$',
      ),
    );
    const json = (await run('acme', '--to', 'now', '--json')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(json).toHaveLength(3);
    expect(json).toContainEqual(
      expect.objectContaining({ difference: 'missing', transactionID: lost.creditID, ours: expect.anything() }),
    );
    expect(json).toContainEqual(expect.objectContaining({ unsettled: 'parked', transactionID: lost.debitID }));
    expect(json.at(-1)).toMatchObject({ operator: 'acme', ours: 4, theirs: 2, differences: 1, unsettled: 1 });
  });

  test('says in one line why it cannot compare', async () => {
    await start({ lists: false });
    await books.db.operator.create({ data: { code: 'house', name: 'house' } });
    expectOneLine(await run('acme'), /^Operator acme does not offer a list of transactions \(404\)/);
    expectOneLine(await run('house'), /^Operator house has the house wallet/);
    expectOneLine(await run('nobody'), /^There is no operator nobody\. Known: acme, house\.$/m);
    expectOneLine(await run('acme', '--from', 'now'), /^There is no time from/);
    expectOneLine(await run('acme', '--from', 'never'), /A time like 2030-01-31T12:00:00Z, with its zone, or "now"\./);
  });

  test('and when the operator is not there, or refuses the signature', async () => {
    await start();
    await books.db.operator.update({
      where: { code: 'acme' },
      data: { secrets: ['another secret of thirty-two characters'] },
    });
    expectOneLine(await run('acme'), /^The list of operator acme cannot be read \(status 401 without a code\)\.$/m);
    await books.db.operator.update({ where: { code: 'acme' }, data: { walletUrl: 'http://127.0.0.1:1' } });
    expectOneLine(await run('acme'), /^The list of operator acme cannot be read \(ECONNREFUSED\)\.$/m);
  });
});
