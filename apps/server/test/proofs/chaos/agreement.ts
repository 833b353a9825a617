import { expect, vi } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { succeed } from '../../support/roundhouse.ts';
import { expectBooksBalance } from '../../support/testServer.ts';
import type { GrantGiver } from './grantGiver.ts';
import { type ChaosProcess, OPERATOR_CODE } from './processes.ts';
import { api, OPENING_BALANCE } from './simulate.ts';

/** It settles without help: nobody does anything but wait. */
export async function settled(db: Database): Promise<void> {
  const step = async () => {
    await db.$executeRaw`
      UPDATE wallet_transactions SET due_at = now() WHERE state = 'pending' AND due_at > now() + interval '5 seconds'`;
    expect(await db.walletTransaction.count({ where: { state: 'pending' } })).toBe(0);
  };
  await vi.waitFor(step, { timeout: 200_000, interval: 200 });
}

/**
 * Both ledgers agree to the micro, and every debit has one outcome: credited, closed at zero, or
 * given back.
 */
export async function expectLedgersAgree(
  db: Database,
  { operator, playerIDs, databaseUrl }: { operator: ChaosProcess; playerIDs: string[]; databaseUrl: string },
): Promise<void> {
  await expectPlayersAgree(db, { operator, playerIDs });
  const env = { DATABASE_URL: databaseUrl };
  expect(await succeed(['reconcile', OPERATOR_CODE, '--to', 'now'], { env })).toMatch(/no difference/i);
  expect(await succeed(['books-balance'], { env })).toMatch(/^The books balance: /);
}

/**
 * Nothing is open, the books of this database balance, and its players have their balances at the
 * operator.
 */
export async function expectPlayersAgree(
  db: Database,
  { operator, playerIDs }: { operator: ChaosProcess; playerIDs: readonly string[] },
): Promise<void> {
  expect(await db.walletTransaction.count({ where: { state: 'parked' } })).toBe(0);
  await expectBooksBalance(db);
  expect(await db.round.count({ where: { endedAt: null } })).toBe(0);
  for (const playerID of playerIDs) {
    const entry = { playerID, currency: 'USD' };
    const entered = await api<{ balances: object[] }>(operator, 'POST', '/api/players', entry);
    expect(entered.balances[0]).toMatchObject({ balance: OPENING_BALANCE + (await netOf(db, playerID)) });
  }
}

/**
 * Every grant has ended and counts each of its rounds once, at the operator as here: what it has
 * used are the free debits that were not rolled back, what it has won are its credits.
 */
export async function expectGrantsAgree(db: Database, givers: readonly GrantGiver[]): Promise<void> {
  const atWallet = await db.$queryRaw<{ grantID: string; used: bigint; won: bigint; winnings: bigint }[]>`
    SELECT t.grant_id AS "grantID", count(*) FILTER (WHERE t.kind = 'debit' AND b.state <> 'rolled_back') AS used,
      coalesce(sum(t.amount_micros) FILTER (WHERE t.kind = 'credit'), 0)::bigint AS won,
      count(*) FILTER (WHERE t.grant_closed) AS winnings
    FROM reference_operator.transactions t
    JOIN reference_operator.bets b ON b.debit_id = coalesce(t.debit_id, t.transaction_id)
    WHERE t.grant_id IS NOT NULL GROUP BY t.grant_id`;
  const paid = new Map(
    atWallet.map(({ grantID, used, won, winnings }) => [grantID, [used, won, winnings].map(Number)]),
  );
  for (const { caller, everyGrant } of givers) {
    for (const { grantID, given, used, left, expired, cancelled, won, paidAtEnd, endedAt } of await everyGrant()) {
      expect({ grantID, sum: used + expired + cancelled, left }).toEqual({ grantID, sum: given, left: 0 });
      expect(endedAt, grantID).not.toBeNull();
      if (caller.code !== OPERATOR_CODE) continue;
      const expected = [used, won, Number(paidAtEnd && won > 0)];
      expect(paid.get(grantID) ?? [0, 0, 0], `used, won and winnings of ${grantID}`).toEqual(expected);
      paid.delete(grantID);
    }
  }
  expect([...paid.keys()]).toEqual([]);
}

/** What our own records say that the player has won or lost. Every grant has ended. */
export async function netOf(db: Database, playerID: string): Promise<number> {
  const [row] = await db.$queryRaw<{ net: bigint }[]>`
    SELECT coalesce(sum(r.payout_micros - CASE WHEN r.grant_id IS NULL THEN r.debit_micros ELSE 0 END), 0)::bigint AS net
    FROM rounds r JOIN players p ON p.id = r.player_id
    WHERE p.external_id = ${playerID} AND r.wallet_state = 'credited'`;
  return Number(row?.net ?? 0n);
}
