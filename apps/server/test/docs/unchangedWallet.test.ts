import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { signCall, type TransactionListResponse, WALLET_ROUTES } from '@roundhouse/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BOOK } from '../support/fixtureGame.ts';
import { expectBooksBalance, useTestServer } from '../support/testServer.ts';

// The example wallet of the documents as it was before /close-rounds came.
const WALLET = fileURLToPath(
  new URL('../../../../packages/wallet-check/test/fixtures/walletWithoutCloseRounds.mjs', import.meta.url),
);
const SESSION_ID = 'acme:a-session-id';
const SECRET = randomUUID();

const server = useTestServer({ recovery: true });
let wallet: ChildProcess;
let walletUrl: string;

beforeAll(async () => {
  const child = spawn(process.execPath, [WALLET], {
    env: { PATH: process.env.PATH, SECRET, SESSION_ID, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  wallet = child;
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  walletUrl = /^Wallet: (\S+)$/m.exec(String(line))?.[1] ?? '';
  await server.db.operator.create({
    data: { code: 'acme', name: 'Acme', wallet: 'seamless', walletUrl, secrets: [SECRET] },
  });
});

afterAll(async () => {
  wallet.kill('SIGKILL');
  await once(wallet, 'close');
});

/** What the wallet has in its books, as "debit 1000000". */
async function listed(): Promise<string[]> {
  const { method, path } = WALLET_ROUTES.transactions;
  const body = JSON.stringify({ from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' });
  const nowSeconds = Math.floor(Date.now() / 1000);
  const headers = await signCall({ direction: 'to-operator', method, path, body }, { secret: SECRET, nowSeconds });
  const response = await fetch(`${walletUrl}${path}`, { method, headers: { ...headers }, body });
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
