import { type EmbeddedPostgres, startTemporaryPostgres, startTemporaryStandby } from '@roundhouse/dev-postgres';
import { openClient } from '@roundhouse/service';
import { inject, vi } from 'vitest';
import { startSilentProxy } from '../../support/silentProxy.ts';

/** kill: the machine dies. stop: it hangs. cut: its network is gone, and it runs on. */
export const FAULTS = ['kill', 'stop', 'cut'] as const;
export type Fault = (typeof FAULTS)[number];

// A commit is in the log of both, so the standby has all that a client got a response for.
const SETTINGS = ['wal_keep_size=1GB', 'synchronous_commit=on'];

type Place = { postgres: EmbeddedPostgres; proxy: Awaited<ReturnType<typeof startSilentProxy>> };

/** Starts a primary and its synchronous standby, each behind a network that can be cut. */
export async function startPair() {
  const first = await startTemporaryPostgres({ settings: SETTINGS, copyOf: inject('templateFolder') });
  const second = await startTemporaryStandby(first, { settings: SETTINGS });
  const behindProxy = async (postgres: EmbeddedPostgres): Promise<Place> => ({
    postgres,
    proxy: await startSilentProxy(postgres.url),
  });
  let primary = await behindProxy(first);
  let standby = await behindProxy(second);
  await waitForStandby(primary.postgres);
  const hosts = [primary, standby].map(({ proxy }) => new URL(proxy.url).host);
  const url = new URL(primary.postgres.url);
  return {
    /** It names the two in the order of their first roles. */
    url: `${url.protocol}//${url.username}:${url.password}@${hosts}${url.pathname}`,
    /** Runs a statement in the primary. */
    run: (statement: string) => queryOf(primary.postgres, statement),
    async fail(fault: Fault): Promise<void> {
      if (fault === 'kill') await primary.postgres.signal('SIGKILL');
      else if (fault === 'stop') await primary.postgres.signal('SIGSTOP');
      else primary.proxy.silence();
    },
    async promote(): Promise<void> {
      [primary, standby] = [standby, primary];
      await queryOf(primary.postgres, 'SELECT pg_promote(true, 30)');
    },
    /** Brings the earlier primary back to the network; it still takes itself for the primary. */
    async wake(): Promise<void> {
      await standby.postgres.signal('SIGCONT');
      standby.proxy.speak();
    },
    /** Ends a cut or a stop. */
    async heal(): Promise<void> {
      await primary.postgres.signal('SIGCONT');
      primary.proxy.speak();
    },
    /** Makes a standby in place of the earlier primary. */
    async rebuild(): Promise<void> {
      await standby.postgres.signal('SIGKILL');
      await standby.postgres.stop();
      standby.postgres = await startTemporaryStandby(primary.postgres, { settings: SETTINGS });
      standby.proxy.retarget(standby.postgres.url);
      standby.proxy.speak();
      await waitForStandby(primary.postgres);
    },
    waitForStandby: () => waitForStandby(primary.postgres),
    async close(): Promise<void> {
      for (const { postgres, proxy } of [standby, primary]) {
        await proxy.close();
        await postgres.signal('SIGKILL');
        await postgres.stop();
      }
    },
  };
}

async function waitForStandby(primary: EmbeddedPostgres): Promise<void> {
  await queryOf(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await queryOf(primary, 'SELECT pg_reload_conf()');
  await vi.waitFor(
    async () => {
      const rows = await queryOf(primary, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
      if (rows.length === 0) throw new Error('the standby is not synchronous yet');
    },
    { timeout: 200_000, interval: 20 },
  );
}

/** Runs a statement as the administrator of the cluster. Returns the rows. */
export async function queryOf({ adminUrl }: EmbeddedPostgres, statement: string): Promise<unknown[]> {
  const client = await openClient(adminUrl);
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
