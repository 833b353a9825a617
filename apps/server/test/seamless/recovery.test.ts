import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { settleWalletTransactions } from '../../src/ledger/commands.ts';
import { findWalletTransaction } from '../../src/ledger/queries/walletTransactions.ts';
import { startRecovery } from '../../src/wallets/seamless/recovery.ts';
import { openBooks, type Seamless } from '../operatorCommands/books.ts';

const MAX_RETRIES = 16;
const DUE = 40;

let books: Seamless;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

/** Sends to no wallet: each waits for `release`, and is then settled as accepted. */
function countingSender() {
  const sent: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const send = async (transactionID: string) => {
    sent.push(transactionID);
    await released;
    const { playerID = 0n, roundID = 0n } = (await findWalletTransaction(books.db, transactionID)) ?? {};
    const result = { resultCode: 'accepted', httpStatus: 200, resultDetail: undefined } as const;
    const settlement = { verdict: 'accepted', settledBy: 'operator', settlementNote: undefined } as const;
    const command = { playerID, transactionID, ...result, ...settlement, autoClose: false };
    await settleWalletTransactions.run(books.db, [command]);
    return { settled: true, roundID, balance: undefined } as const;
  };
  return { sent, release, sender: { send, sendInBackground: () => {} } };
}

it('of two nodes each retries as many at once as it may, every wallet transaction once, and stops when they are done', async () => {
  const player = await books.player(await books.seamlessOperator('acme', 'http://127.0.0.1:9'), 'anna');
  for (let count = 0; count < DUE; count += 1) {
    await books.round(player, [
      { kind: 'debit', state: 'abandoned' },
      { kind: 'rollback', state: 'pending' },
    ]);
  }
  await books.db.$executeRaw`UPDATE wallet_transactions SET due_at = now() WHERE state = 'pending'`;
  const { sent, release, sender } = countingSender();
  const log = pino({ level: 'silent' });
  const nodes = [1, 2].map(() =>
    startRecovery({ db: books.db, sender, leases: { holds: () => true }, log, sweepMs: 20 }),
  );
  await expect.poll(() => sent.length).toBe(2 * MAX_RETRIES);
  expect(await books.db.walletTransaction.count({ where: { state: 'pending', dueAt: { lte: new Date() } } })).toBe(
    DUE - 2 * MAX_RETRIES,
  );
  release();
  await expect.poll(() => sent.length).toBe(DUE);
  await Promise.all(nodes.map((node) => node.stop()));
  expect(new Set(sent).size).toBe(DUE);
  expect(await books.db.walletTransaction.count({ where: { state: 'pending' } })).toBe(0);
});
