import { randomUUID } from 'node:crypto';
import { type FakeWallet, startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Database } from '../../src/ledger/database.ts';
import { expectBooksBalance, startTestServer, type TestResponse, type TestServer } from './testServer.ts';

export const SECRET = 'a secret of at least thirty-two characters';

type StoredTransaction = {
  kind: string;
  state: string;
  amount: number;
  attempts: number;
  resultCode: string | null;
  httpStatus: number | null;
};

export type SeamlessServer = TestServer & {
  wallet: FakeWallet;
  /** A sessionID of the operator that nobody has shown to the server yet. */
  freshSession(player?: string, operator?: string): string;
  /** One that has authenticated. */
  seamlessSession(player?: string): Promise<string>;
  /** The wallet transactions of the round, the oldest first. */
  transactionsOf(betID: number): Promise<StoredTransaction[]>;
  /** Resolves when no wallet transaction is pending. */
  settled(): Promise<void>;
  /** What recovery would do later, it does now. */
  hurry(): Promise<void>;
};

/**
 * An operator of the seamless wallet, by SQL: tests of the commands have their own. The time-out is
 * one that no honest response takes.
 */
export async function addSeamlessOperator(
  db: Database,
  { code, url, timeoutMs = 2500, ...more }: { code: string; url: string; timeoutMs?: number; currencies?: string[] },
): Promise<void> {
  await db.operator.create({
    data: {
      code,
      name: code,
      wallet: 'seamless',
      walletUrl: url,
      secrets: [SECRET],
      walletTimeoutMs: timeoutMs,
      ...more,
    },
  });
}

/** A server with the operator "acme", whose wallet does what the test tells it to. */
async function startSeamlessServer(): Promise<SeamlessServer> {
  const wallet = await startFakeWallet({ anyPlayer: true, secret: SECRET });
  const server = await startTestServer({ recovery: true });
  await addSeamlessOperator(server.db, { code: 'acme', url: wallet.url });
  const freshSession = (player = `p${randomUUID()}`, operator = 'acme') => `${operator}:${randomUUID()}:${player}`;
  return {
    ...server,
    wallet,
    freshSession,
    async seamlessSession(player) {
      const sessionID = freshSession(player);
      expect((await server.post('/wallet/authenticate', { sessionID })).body).toMatchObject({
        balance: expect.anything(),
      });
      return sessionID;
    },
    async transactionsOf(betID) {
      const rows = await server.db.walletTransaction.findMany({
        where: { roundId: BigInt(betID) },
        orderBy: { createdAt: 'asc' },
      });
      return rows.map(({ kind, state, amountMicros, attempts, resultCode, httpStatus }) => ({
        kind,
        state,
        amount: Number(amountMicros),
        attempts,
        resultCode,
        httpStatus,
      }));
    },
    async settled() {
      const pending = () => server.db.walletTransaction.count({ where: { state: 'pending' } });
      await expect.poll(pending).toBe(0);
    },
    async hurry() {
      await server.db.$executeRaw`UPDATE wallet_transactions SET due_at = now() WHERE state = 'pending'`;
    },
    async close() {
      await server.close();
      await wallet.close();
    },
  };
}

/**
 * The one server of a test file. After each test its books balance, and every scripted behaviour
 * was met.
 */
export function useSeamlessServer(): SeamlessServer {
  const server = {} as SeamlessServer;
  beforeAll(async () => void Object.assign(server, await startSeamlessServer()));
  beforeEach(() => server.wallet.forget());
  afterEach(async () => {
    expect(server.wallet.unmet()).toEqual([]);
    await expectBooksBalance(server.db);
  });
  afterAll(() => server.close?.());
  return server;
}

export const playerOf = (sessionID: string) => sessionID.split(':').at(-1) ?? '';

export function expectError(response: TestResponse, status: number, error: string): void {
  expect({ status: response.status, error: response.body?.error }).toEqual({ status, error });
}
