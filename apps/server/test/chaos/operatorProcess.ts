import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

// A foreign company's process: it is started and talked to, and nothing of it is imported.
const COMMAND = fileURLToPath(new URL('../../../operator/bin/operator.js', import.meta.url));

export const OPERATOR_CODE = 'lobby';

export type OperatorProcess = {
  url: string;
  /** Again on its old port, with no fault switched on. */
  restart(): Promise<void>;
  kill(): Promise<void>;
};

/** The reference operator as a process of its own, on the same database server. */
export async function startOperatorProcess(options: {
  databaseUrl: string;
  rgsUrl: string;
  secret: string;
}): Promise<OperatorProcess> {
  let port = 0;
  let child: ChildProcess;
  const start = async () => {
    child = fork(COMMAND, [], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        ...process.env,
        DATABASE_URL: options.databaseUrl,
        ROUNDHOUSE_OPERATOR_CODE: OPERATOR_CODE,
        ROUNDHOUSE_OPERATOR_SECRET: options.secret,
        ROUNDHOUSE_OPERATOR_RGS_URL: options.rgsUrl,
        ROUNDHOUSE_OPERATOR_LISTEN_PORT: String(port),
        ROUNDHOUSE_OPERATOR_BENCH: '1',
        ROUNDHOUSE_OPERATOR_LOG_LEVEL: 'fatal',
      },
    });
    const ready = once(child, 'message').then(([message]) => (message as { url: string }).url);
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the operator ended')));
    return Promise.race([ready, ended]);
  };
  const kill = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const url = await start();
  port = Number(new URL(url).port);
  return {
    url,
    kill,
    async restart() {
      await kill();
      await start();
    },
  };
}
