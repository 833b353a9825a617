import { expect, vi } from 'vitest';
import type { Database } from '../../src/ledger/database.ts';
import { succeed } from '../support/roundhouse.ts';
import { expectBooksBalance } from '../support/testServer.ts';
import { OPERATOR_CODE } from './processes.ts';
import { api, type Simulation } from './simulate.ts';

const OPENING_BALANCE = 1_000_000_000;

/** Waits until everything settles by itself. */
export async function settled(db: Database): Promise<void> {
  const step = async () => {
    await db.$executeRaw`
      UPDATE wallet_transactions SET due_at = now() WHERE state = 'pending' AND due_at > now() + interval '5 seconds'`;
    expect(await db.walletTransaction.count({ where: { state: 'pending' } })).toBe(0);
  };
  await vi.waitFor(step, { timeout: 200_000, interval: 200 });
}

/**
 * Checks that both ledgers agree to the micro, and that every debit has one outcome: credited,
 * completed at zero, or rolled back.
 */
export async function expectLedgersAgree(
  db: Database,
  { operator, playerIDs, databaseUrl }: { operator: Simulation['operator']; playerIDs: string[]; databaseUrl: string },
): Promise<void> {
  expect(await db.walletTransaction.count({ where: { state: 'parked' } })).toBe(0);
  await expectBooksBalance(db);
  expect(await db.round.count({ where: { closedAt: null } })).toBe(0);
  for (const playerID of playerIDs) {
    const entry = { playerID, currency: 'USD' };
    const entered = await api<{ balances: object[] }>(operator, 'POST', '/api/players', entry);
    expect(entered.balances[0]).toMatchObject({ balance: OPENING_BALANCE + (await netOf(db, playerID)) });
  }
  const env = { DATABASE_URL: databaseUrl };
  expect(await succeed(['reconcile', OPERATOR_CODE, '--to', 'now'], { env })).toMatch(/no difference/i);
  expect(await succeed(['books-balance'], { env })).toMatch(/^The books balance: /);
}

/** Returns what our own records say that the player has won or lost. */
async function netOf(db: Database, playerID: string): Promise<number> {
  const [row] = await db.$queryRaw<{ net: bigint }[]>`
    SELECT coalesce(sum(r.payout_micros - r.debit_micros), 0)::bigint AS net
    FROM rounds r JOIN players p ON p.id = r.player_id
    WHERE p.external_id = ${playerID} AND r.wallet_state = 'credited'`;
  return Number(row?.net ?? 0n);
}
