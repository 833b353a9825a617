import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CleanUp } from '@roundhouse/service';

/** Runs as a separate process, so that its processor time is known. It does one job at a time. */
export type Child<Job, Result> = {
  pid: number;
  run(job: Job): Promise<Result>;
  stop(): Promise<void>;
};

type Message<Result> = { result: Result } | { failure: string };

/** `name` is the file, without its ending. */
export function startChild<Job extends object, Result>(cleanUp: CleanUp, name: string): Child<Job, Result> {
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  // Prisma's own way of reading relations inside a transaction makes pg warn.
  const execArgv = ['--no-deprecation'];
  const child = fork(file, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const { pid } = child;
  if (pid === undefined) throw new Error(`the process ${name} could not be started`);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    if (child.connected) child.disconnect();
    await gone;
  };
  cleanUp.add(stop);
  return { pid, run: (job) => resultOf(child, { name, job }), stop };
}

function resultOf<Result>(child: ChildProcess, { name, job }: { name: string; job: object }): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`the process ${name} ended during its job`));
    child.once('exit', onExit);
    child.once('message', (message: Message<Result>) => {
      child.off('exit', onExit);
      if ('failure' in message) reject(new Error(`${name}: ${message.failure}`));
      else resolve(message.result);
    });
    child.send(job, (error) => error !== null && reject(error));
  });
}

/** Does the parent's jobs in the child, and ends when the parent disconnects or is gone. */
export function serveParent<Job, Result>(work: (job: Job) => Promise<Result>): void {
  // A terminal's Ctrl-C reaches every process; the parent decides what it means.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('message', (job: Job) => {
    work(job).then(
      (result) => process.send?.({ result }),
      (error: Error) => process.send?.({ failure: error.stack ?? error.message }),
    );
  });
  process.once('disconnect', () => process.exit(0));
}
