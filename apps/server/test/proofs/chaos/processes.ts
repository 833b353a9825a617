import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Roundhouse, spawnRoundhouse } from '../../support/roundhouse.ts';

// It is a foreign company's process: tests start it and send requests, and import nothing of it.
const OPERATOR = fileURLToPath(new URL('../../../../operator/bin/operator.js', import.meta.url));

export const OPERATOR_CODE = 'lobby';

type Running = { url: string; kill(): Promise<void> };
/** Tests kill it with SIGKILL and start it again on its old port. */
export type ChaosProcess = Running & { restart(): Promise<void> };

async function restartable(start: (port: number) => Promise<Running>): Promise<ChaosProcess> {
  let running = await start(0);
  const { url } = running;
  return {
    url,
    kill: () => running.kill(),
    async restart() {
      await running.kill();
      running = await start(Number(new URL(url).port));
    },
  };
}

export type NodeOptions = {
  databaseUrl: string;
  games: string;
  data: string;
  env?: NodeJS.ProcessEnv;
  /** The script to run in place of `roundhouse`. */
  command?: string | undefined;
};

/** Starts a node of `roundhouse serve`. Its worker ends with the primary, which is killed. */
export function startNode({ command, ...options }: NodeOptions): Promise<ChaosProcess> {
  const env = {
    ...options.env,
    DATABASE_URL: options.databaseUrl,
    ROUNDHOUSE_GAMES: options.games,
    ROUNDHOUSE_DATA: options.data,
  };
  return restartable(async (port) => {
    const args = ['serve', '--workers', '1', '--port', String(port), '--log-level', 'info'];
    return serving(spawnRoundhouse(args, { env, ...(command !== undefined && { command }) }));
  });
}

/** Starts a launch router. It reads its fleet file again at each restart. */
export function startRouter(fleetFile: string, env: NodeJS.ProcessEnv = {}): Promise<ChaosProcess> {
  return restartable(async (port) => {
    const args = ['route', '--fleet', fleetFile, '--port', String(port), '--log-level', 'info'];
    return serving(spawnRoundhouse(args, { env }));
  });
}

/** Resolves once the process serves. */
async function serving(started: Roundhouse): Promise<Running> {
  const [, url = ''] = await started.waitFor(/"url":"(http:[^"]+)"/);
  return {
    url,
    async kill() {
      started.kill('SIGKILL');
      await started.exited;
    },
  };
}

export type OperatorOptions = {
  databaseUrl: string;
  rgsUrl: string;
  /** The wallet protocol signs with it. */
  secret?: string;
  /** The words of its command line, such as those of a dialect. */
  args?: readonly string[];
};

/** Starts the reference operator on the same database server, with no fault switched on. */
export function startOperator({ args = [], ...options }: OperatorOptions): Promise<ChaosProcess> {
  const env = {
    ...process.env,
    DATABASE_URL: options.databaseUrl,
    ROUNDHOUSE_OPERATOR_CODE: OPERATOR_CODE,
    ROUNDHOUSE_OPERATOR_SECRET: options.secret,
    ROUNDHOUSE_OPERATOR_RGS_URL: options.rgsUrl,
    ROUNDHOUSE_OPERATOR_BENCH: '1',
    ROUNDHOUSE_OPERATOR_LOG_LEVEL: 'fatal',
  };
  return restartable(async (port) => {
    const child = fork(OPERATOR, args, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...env, ROUNDHOUSE_OPERATOR_LISTEN_PORT: String(port) },
    });
    const ended = once(child, 'exit');
    const early = ended.then(() => Promise.reject(new Error('the operator ended')));
    const [{ url }] = (await Promise.race([once(child, 'message'), early])) as [{ url: string }];
    return {
      url,
      async kill() {
        child.kill('SIGKILL');
        await ended;
      },
    };
  });
}
