import { fileURLToPath } from 'node:url';
import { signCall, type TransactionListResponse, WALLET_ROUTES } from '@roundhouse/contract';
import { expect, it } from 'vitest';
import { BOOK } from '../support/fixtureGame.ts';
import { expectBooksBalance, useTestServer } from '../support/testServer.ts';
import { SESSION_ID, useExampleWallet } from './exampleWallet.ts';

// The documents had this example wallet before /close-rounds came.
const WALLET = fileURLToPath(
  new URL('../../../../packages/wallet-check/test/fixtures/walletWithoutCloseRounds.mjs', import.meta.url),
);

const server = useTestServer({ recovery: true });
const wallet = useExampleWallet(server, [process.execPath, WALLET]);

/** Returns what the wallet has in its books, as "debit 1000000". */
async function listed(): Promise<string[]> {
  const { method, path } = WALLET_ROUTES.transactions;
  const body = JSON.stringify({ from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' });
  const nowSeconds = Math.floor(Date.now() / 1000);
  const headers = signCall({ direction: 'to-operator', method, path, body }, { secret: wallet.secret, nowSeconds });
  const response = await fetch(`${wallet.url}${path}`, { method, headers: { ...headers }, body });
  const { transactions } = (await response.json()) as TransactionListResponse;
  return transactions.map(({ kind, amount }) => `${kind} ${amount}`);
}

it('a wallet without /close-rounds gets a credit of 0 for each losing round, and the books balance', async () => {
  expect((await server.post('/wallet/authenticate', { sessionID: SESSION_ID })).status).toBe(200);
  for (let round = 0; round < 3; round += 1) {
    const { status, body } = await server.playBook(SESSION_ID, BOOK.pays0, { mode: 'AUTO' });
    expect({ status, active: body.round?.active }).toEqual({ status: 200, active: false });
  }
  expect((await server.playBook(SESSION_ID, BOOK.pays150)).status).toBe(200);
  expect((await server.post('/wallet/end-round', { sessionID: SESSION_ID })).status).toBe(200);
  await expect.poll(() => server.db.walletTransaction.count({ where: { state: { not: 'accepted' } } })).toBe(0);
  expect((await listed()).sort()).toEqual([
    ...Array(3).fill('credit 0'),
    'credit 1500000',
    ...Array(4).fill('debit 1000000'),
  ]);
  await expectBooksBalance(server.db);
});
