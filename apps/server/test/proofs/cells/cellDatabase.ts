import { startEmbeddedPostgres } from '@roundhouse/dev-postgres';
import { temporaryFolder } from '../../support/roundhouse.ts';
import { startSilentProxy } from '../../support/silentProxy.ts';

export type CellDatabase = Awaited<ReturnType<typeof startCellDatabase>>;

/** A PostgreSQL of one cell alone, which tests kill and stop. It keeps its address. */
export async function startCellDatabase() {
  const dataFolder = await temporaryFolder('cell');
  // A commit is in the log before its response, as in production.
  const start = () => startEmbeddedPostgres({ dataFolder });
  let postgres = await start();
  const proxy = await startSilentProxy(postgres.url);
  return {
    url: proxy.url,
    /** Kills it with SIGKILL, and starts it again: it recovers from its log. */
    async restart(): Promise<void> {
      await postgres.signal('SIGKILL');
      await postgres.stop();
      postgres = await start();
      proxy.retarget(postgres.url);
    },
    /** It hangs: connections stay, and nothing responds. */
    hang: () => postgres.signal('SIGSTOP'),
    wake: () => postgres.signal('SIGCONT'),
    async close(): Promise<void> {
      await proxy.close();
      await postgres.signal('SIGKILL');
      await postgres.stop();
    },
  };
}
