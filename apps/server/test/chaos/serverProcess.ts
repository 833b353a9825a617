import { type Roundhouse, spawnRoundhouse } from '../support/roundhouse.ts';

export type ServerProcess = {
  readonly url: string;
  /** Killed with SIGKILL, and started again on its old port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** A node of `roundhouse serve`, in one process: what is killed is all of it. */
export async function startServerProcess(options: {
  databaseUrl: string;
  games: string;
  data: string;
}): Promise<ServerProcess> {
  let port = 0;
  let node: Roundhouse;
  const start = async () => {
    node = spawnRoundhouse(['serve', '--workers', '1', '--port', String(port), '--log-level', 'info'], {
      env: { DATABASE_URL: options.databaseUrl, ROUNDHOUSE_GAMES: options.games, ROUNDHOUSE_DATA: options.data },
    });
    const [, url = ''] = await node.waitFor(/"url":"(http:[^"]+)"/);
    return url;
  };
  const url = await start();
  port = Number(new URL(url).port);
  return {
    url,
    async restart() {
      node.kill('SIGKILL');
      await node.exited;
      await start();
    },
    async stop() {
      node.kill('SIGTERM');
      await node.exited;
    },
  };
}
