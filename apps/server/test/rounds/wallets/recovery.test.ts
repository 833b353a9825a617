import { randomUUID } from 'node:crypto';
import { dialectOf, roundhouse, type WalletCall, type WalletResult } from '@roundhouse/dialects';
import { pino } from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { settleWalletTransactions } from '../../../src/ledger/commands.ts';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { startRecovery } from '../../../src/rounds/wallets/seamless/recovery.ts';
import {
  createTransactionSender,
  type TransactionSender,
} from '../../../src/rounds/wallets/seamless/transactionSender.ts';
import type { WalletClient } from '../../../src/rounds/wallets/seamless/walletClient.ts';
import { createWalletOperators } from '../../../src/rounds/wallets/seamless/walletOperators.ts';
import type { Database } from '../../../src/store/database/database.ts';
import { findWalletOperator } from '../../../src/store/operators/operators.ts';
import { findWalletTransaction } from '../../../src/store/rounds/walletTransactions.ts';
import { type BooksPlayer, useBooks } from '../../cli/commands/books.ts';
import { gate } from '../../support/gate.ts';
import { ACCEPT, BY_OPERATOR } from '../../support/seamlessServer.ts';

const MAX_RETRIES = 16;
const DUE = 40;
const UNKNOWN = randomUUID();
const ACCEPTED = { kind: 'accepted', httpStatus: 200, body: { balance: 5 } } as const;

const books = useBooks();
let operatorID: number;
let player: BooksPlayer;
beforeAll(async () => {
  operatorID = await books.seamlessOperator('acme', 'http://127.0.0.1:9');
  player = await books.player(operatorID, 'anna');
});

const makeDue = () =>
  books.db.$executeRaw`UPDATE wallet_transactions SET due_at = now() - interval '1 second' WHERE state = 'pending'`;

async function pendingRollback(): Promise<string> {
  const debit = { kind: 'debit', state: 'abandoned' } as const;
  const { ids } = await books.round(player, [debit, { kind: 'rollback', state: 'pending' }]);
  return ids[1] ?? '';
}

async function pendingCredit(): Promise<string> {
  const { ids } = await books.round(await books.player(operatorID, randomUUID()), [
    { kind: 'debit' },
    { kind: 'credit', state: 'pending' },
  ]);
  return ids[1] ?? '';
}

async function pendingDebit(): Promise<string> {
  const { ids, round } = await books.round(await books.player(operatorID, randomUUID()), [
    { kind: 'debit', state: 'pending' },
  ]);
  await books.db.round.update({ where: { id: round.id }, data: { walletState: 'debit_pending', endedAt: null } });
  return ids[0] ?? '';
}

/** Recovery that sweeps fifty times a second. */
function sweeping(sender: Parameters<typeof startRecovery>[0]['sender'], options = {}) {
  const lines: { msg: string; transactionID?: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const deps = { db: books.db, leases: { holds: () => true }, log, sweepMs: 20 };
  return { lines, ...startRecovery({ ...deps, sender, ...options }) };
}

/** Makes a sender whose wallet responds with this to each request, and lists what it has done. */
function senderWith(result: Promise<WalletResult>) {
  const steps: string[] = [];
  const errors: string[] = [];
  const send = (_: unknown, name: string, body: { reason?: string }) => {
    steps.push(`${name} ${body.reason ?? ''}`);
    return result;
  };
  const sender = createTransactionSender({
    db: books.db,
    ledger: createLedger(books.db),
    client: { send, traits: () => roundhouse.traits } as unknown as WalletClient,
    operators: createWalletOperators((operatorID) => findWalletOperator(books.db, { operatorID })),
    failpoint: (name) => steps.push(name),
    onError: (error, transactionID) => errors.push(`${transactionID}: ${error}`),
  });
  return { sender, steps, errors };
}

it('a wallet transaction is sent once, and what is settled is not sent again', async () => {
  const rollback = await pendingRollback();
  const { sender, steps } = senderWith(Promise.resolve(ACCEPTED));
  const { roundID } = (await findWalletTransaction(books.db, rollback)) ?? {};
  expect(await sender.send(rollback)).toEqual({ pending: false, roundID, balance: 5 });
  expect(await sender.send(rollback)).toEqual({ pending: false, roundID, balance: undefined });
  const sent = 'rollback the bet is given back';
  expect(steps).toEqual(['rollback_stored', sent, 'rollback_responded', 'rollback_settled']);
});

it('a sender is idle when nothing is being sent, and reports what fails in the background', async () => {
  const rollback = await pendingRollback();
  let respond = (_: WalletResult) => {};
  const { sender, steps, errors } = senderWith(new Promise((resolve) => (respond = resolve)));
  await sender.idle();
  sender.sendInBackground(rollback);
  sender.sendInBackground(UNKNOWN);
  let isIdle = false;
  const idle = sender.idle().then(() => {
    isIdle = true;
  });
  await expect.poll(() => [steps.length, errors.length]).toEqual([2, 1]);
  expect(isIdle).toBe(false);
  respond(ACCEPTED);
  await idle;
  expect(await findWalletTransaction(books.db, rollback)).toMatchObject({ state: 'accepted' });
  expect(errors).toEqual([`${UNKNOWN}: Error: there is no wallet transaction ${UNKNOWN}`]);
});

it('a debit without its node is given up and never sent, unless this process waits for it', async () => {
  const [lost, held] = [await pendingDebit(), await pendingDebit()];
  await makeDue();
  const { sender, steps } = senderWith(Promise.resolve(ACCEPTED));
  const asked: string[] = [];
  const holds = (debitID: string) => {
    asked.push(debitID);
    return debitID === held;
  };
  const recovery = sweeping(sender, { leases: { holds }, retries: false });
  await expect.poll(() => asked.toSorted()).toEqual([lost, held].sort());
  await recovery.stop();
  await sender.idle();
  expect(steps).toEqual([]);
  expect(await findWalletTransaction(books.db, held)).toMatchObject({ state: 'pending' });
  expect(await findWalletTransaction(books.db, lost)).toMatchObject({
    state: 'abandoned',
    settledBy: 'recovery',
    resultCode: 'node_lost',
    resultDetail: 'the node that sent it stopped before it stored a result',
  });
});

it('a credit that the wallet cannot write is not sent, and parked at once', async () => {
  const settings = { merchantID: 'm', merchantKey: 'k'.repeat(16), currencies: { USD: { decimals: 0 } } };
  const dialect = dialectOf('slotegrator');
  const connection = dialect.connect({ code: 'acme', settings: dialect.settings.parse(settings), secrets: [] });
  const call = { name: 'credit', body: { currency: 'USD', amount: 1 }, context: {} } as WalletCall<'credit'>;
  const unsent = (await connection.send(call, () => Promise.reject(new Error('sent')))) as WalletResult;
  const credit = await pendingCredit();
  await senderWith(Promise.resolve(unsent)).sender.send(credit);
  const detail = 'not sent: the wallet cannot move the amount';
  expect(await findWalletTransaction(books.db, credit)).toMatchObject({ state: 'parked', resultDetail: detail });
});

it.each([
  { kind: 'debit', wrong: ['accepted', 'failed', 'final'], of: pendingDebit },
  { kind: 'credit', wrong: ['refused', 'uncertain'], of: pendingCredit },
  { kind: 'rollback', wrong: ['refused', 'uncertain'], of: pendingRollback },
] as const)('a $kind is not settled by a result that is not of its kind', async ({ wrong, of }) => {
  const transactionID = await of();
  const before = await findWalletTransaction(books.db, transactionID);
  const { playerID = 0n, state } = before ?? {};
  expect(state).toBe('pending');
  for (const result of wrong) {
    const command = { playerID, transactionID, result, ...ACCEPT, ...BY_OPERATOR };
    expect(await settleWalletTransactions.run(books.db, [command])).toEqual([{ late: true }]);
  }
  expect(await findWalletTransaction(books.db, transactionID)).toEqual(before);
});

it('recovery goes on after an error, which is in the log', async () => {
  const rollback = await pendingRollback();
  await makeDue();
  let attempts = 0;
  const send: TransactionSender['send'] = async (transactionID) => {
    if (transactionID === rollback) attempts += 1;
    if (attempts === 1) await makeDue();
    throw new Error('gone');
  };
  const sender = { send, sendInBackground: () => {} };
  const recovery = sweeping(sender);
  await expect.poll(() => attempts).toBeGreaterThan(1);
  await recovery.stop();
  const failed = recovery.lines.filter(({ transactionID }) => transactionID === rollback);
  expect(failed).toHaveLength(attempts);
  expect(failed[0]).toMatchObject({ err: { message: 'gone' }, msg: 'could not retry a wallet transaction' });

  const noRows = { query: async () => ({ rows: [] }) };
  const $queryRaw = () => Promise.reject(new Error('gone'));
  const closed = { leases: noRows, writer: { isKnown: true }, $queryRaw } as unknown as Database;
  const blind = sweeping(sender, { db: closed });
  await expect.poll(() => blind.lines.length).toBeGreaterThan(1);
  await blind.stop();
  expect(blind.lines[0]).toMatchObject({ msg: 'could not read the due wallet transactions' });
});

it('of two nodes each retries as many at once as it may, every wallet transaction once, and stops when they are done', async () => {
  await books.db.walletTransaction.deleteMany({ where: { state: 'pending' } });
  for (let count = 0; count < DUE; count += 1) await pendingRollback();
  await makeDue();
  const sent: string[] = [];
  const { opened, open } = gate();
  const send = async (transactionID: string) => {
    sent.push(transactionID);
    await opened;
    const { playerID = 0n, roundID = 0n } = (await findWalletTransaction(books.db, transactionID)) ?? {};
    const command = { playerID, transactionID, result: 'accepted', ...ACCEPT, ...BY_OPERATOR } as const;
    await settleWalletTransactions.run(books.db, [command]);
    return { pending: false, roundID, balance: undefined } as const;
  };
  const nodes = [1, 2].map(() => sweeping({ send, sendInBackground: () => {} }));
  await expect.poll(() => sent.length).toBe(2 * MAX_RETRIES);
  expect(await books.db.walletTransaction.count({ where: { state: 'pending', dueAt: { lte: new Date() } } })).toBe(
    DUE - 2 * MAX_RETRIES,
  );
  open();
  await expect.poll(() => sent.length).toBe(DUE);
  await Promise.all(nodes.map((node) => node.stop()));
  expect(new Set(sent).size).toBe(DUE);
  expect(await books.db.walletTransaction.count({ where: { state: 'pending' } })).toBe(0);
});
