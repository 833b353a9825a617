import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import { startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { Client } from 'pg';
import type { ConsoleSite } from './console.ts';
import type { RgsServer } from './server.ts';
import type { Stack } from './stack.ts';

const GAME = { id: 'sample-lines', version: '1.1.0' };
const MOST_BOOKS = 200;
/** The wallet refuses until a test changes that. */
const MANY = 1_000;

/** An operator of the stack whose wallet does what a test tells it to. */
export type OperatorWithWallet = Awaited<ReturnType<typeof addOperatorWithWallet>>;

/** Adds an operator with its own wallet, whose players play the sample game. */
export async function addOperatorWithWallet(site: ConsoleSite, server: RgsServer, { databaseUrl }: Stack) {
  const wallet = await startFakeWallet({ anyPlayer: true });
  const code = `acme-${randomUUID().slice(0, 8)}`;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-e2e-secret-'));
  const secretFile = path.join(folder, 'secret');
  try {
    await writeFile(secretFile, wallet.secret);
    const words = ['--wallet-url', wallet.url, '--secret-file', secretFile, '--default-game', GAME.id];
    await site.command('operator', 'add', code, ...words);
  } finally {
    await rm(folder, { recursive: true });
  }
  const winning = await winningBook(server);
  const post = (route: string, body: object) =>
    fetch(server.origin + route, { method: 'POST', body: JSON.stringify(body) });
  return {
    ...{ code, wallet },
    /** Plays a round that pays. The wallet has refused its credit for 72 hours: it is parked. */
    async parkedRound(player: string): Promise<number> {
      const sessionID = `${code}:${randomUUID()}:${player}`;
      const { config } = await server.authenticate(sessionID);
      await server.forceNext({ sessionID, mode: 'BASE', bookID: winning });
      const { round } = await server.play({ sessionID, mode: 'BASE', amount: config.defaultBetLevel });
      wallet.next('/credit', { kind: 'refuse', code: 'ERR_GE' }, MANY);
      const ended = await post('/wallet/end-round', { sessionID });
      expect(ended.status, await ended.text()).not.toBe(200);
      await parkNow(round.betID, databaseUrl);
      wallet.forget();
      return round.betID;
    },
    close: () => wallet.close(),
  };
}

/** Does now what 72 hours of refused attempts would do. */
async function parkNow(betID: number, connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query("SET roundhouse.actor = 'system'");
    await expect
      .poll(async () => {
        await client.query(
          "UPDATE wallet_transactions SET due_at = now(), retry_until = now() WHERE round_id = $1 AND state = 'pending'",
          [betID],
        );
        const { rows } = await client.query(
          "SELECT state FROM wallet_transactions WHERE round_id = $1 AND kind = 'credit'",
          [betID],
        );
        return rows[0]?.state;
      })
      .toBe('parked');
  } finally {
    await client.end();
  }
}

async function winningBook(server: RgsServer): Promise<number> {
  for (let bookID = 1; bookID <= MOST_BOOKS; bookID += 1) {
    const { payoutMultiplier } = await server.book(`${GAME.id}/${GAME.version}/BASE/${bookID}`);
    if (payoutMultiplier > 0) return bookID;
  }
  throw new Error('no book of the sample game pays');
}
