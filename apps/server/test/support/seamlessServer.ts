import { randomUUID } from 'node:crypto';
import { startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Database } from '../../src/store/database/database.ts';
import { expectBooksBalance, startTestServer, type TestServerOptions } from './testServer.ts';
import { useStarted } from './useStarted.ts';

export const SECRET = 'a secret of at least thirty-two characters';

type SeamlessOperator = {
  code: string;
  url: string;
  timeoutMs?: number;
  currencies?: string[];
  languages?: string[];
  freeRounds?: boolean;
  closingDebits?: boolean;
};

/** Adds a seamless operator. No honest response takes as long as the time-out. */
export async function addSeamlessOperator(
  db: Database,
  { code, url, timeoutMs = 2500, ...more }: SeamlessOperator,
): Promise<void> {
  const data = { code, name: code, walletUrl: url, secrets: [SECRET], walletTimeoutMs: timeoutMs };
  await db.operator.create({ data: { ...data, wallet: 'seamless', ...more } });
}

/** A server with the operator "acme", whose wallet does what the test tells it to. */
async function startSeamlessServer(options: TestServerOptions) {
  const wallet = await startFakeWallet({ anyPlayer: true, secret: SECRET });
  const server = await startTestServer(options);
  await addSeamlessOperator(server.db, { code: 'acme', url: wallet.url });
  /** Returns a sessionID of the operator that the server has not seen yet. */
  const freshSession = (player = `p${randomUUID()}`, operator = 'acme') => `${operator}:${randomUUID()}:${player}`;
  return {
    ...server,
    wallet,
    freshSession,
    /** Returns one that has authenticated. */
    async seamlessSession(player?: string): Promise<string> {
      const sessionID = freshSession(player);
      expect((await server.authenticate(sessionID)).status).toBe(200);
      return sessionID;
    },
    /** Returns the wallet transactions of the round, the oldest first. */
    async transactionsOf(betID: number) {
      const rows = await server.db.walletTransaction.findMany({
        where: { roundId: BigInt(betID) },
        orderBy: { createdAt: 'asc' },
        select: { kind: true, state: true, amountMicros: true, attempts: true, resultCode: true, httpStatus: true },
      });
      return rows.map(({ amountMicros, ...row }) => ({ ...row, amount: Number(amountMicros) }));
    },
    /** Resolves when no wallet transaction is pending. */
    async settled() {
      const pending = () => server.db.walletTransaction.count({ where: { state: 'pending' } });
      await expect.poll(pending).toBe(0);
    },
    /** Does now what recovery would do later. */
    async hurry() {
      await server.db.$executeRaw`UPDATE wallet_transactions SET due_at = now() WHERE state = 'pending'`;
    },
    async close(): Promise<void> {
      await server.close();
      await wallet.close();
    },
  };
}

/** The server of a file. After each test its books balance and no behaviour is left over. */
export function useSeamlessServer(options: TestServerOptions = { recovery: true }) {
  const server = useStarted(() => startSeamlessServer(options));
  beforeEach(() => server.wallet.forget());
  afterEach(async () => {
    expect(server.wallet.unmet()).toEqual([]);
    await expectBooksBalance(server.db);
  });
  return server;
}

export const playerOf = (sessionID: string) => sessionID.split(':').at(-1) ?? '';

/** The response accepts a wallet transaction, as a command of the ledger takes it. */
export const ACCEPT = {
  resultCode: 'accepted',
  httpStatus: 200,
  resultDetail: undefined,
  reference: undefined,
} as const;
/** The operator settles it, where no person and no balance plays a part. */
export const BY_OPERATOR = {
  settledBy: 'operator',
  settlementNote: undefined,
  reportedBalance: undefined,
  rollbackID: undefined,
} as const;
