import { openClient } from '@roundhouse/service';
import { expect } from 'vitest';

/** Locks the account of a player, so that its wallet transactions wait until `release`. */
export async function lockAccount(databaseUrl: string, playerExternalID: string) {
  const holder = await openClient(databaseUrl);
  const observer = await openClient(databaseUrl);
  await holder.query('BEGIN');
  const { rowCount } = await holder.query(
    'SELECT 1 FROM accounts a JOIN players p ON p.id = a.player_id WHERE p.external_id = $1 FOR UPDATE OF a',
    [playerExternalID],
  );
  expect(rowCount).toBe(1);
  return {
    /** Waits until this number of others waits for the account. */
    async untilWaiting(count: number): Promise<void> {
      const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      await expect.poll(async () => (await observer.query(waiting)).rowCount).toBe(count);
    },
    async release(): Promise<void> {
      await holder.query('ROLLBACK').catch(() => {});
      await Promise.all([holder.end(), observer.end()].map((ending) => ending.catch(() => {})));
    },
  };
}
