import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process of the bench's own. It does one job at a time. */
export type Child<Job, Result> = {
  pid: number;
  run(job: Job): Promise<Result>;
  stop(): Promise<void>;
};

type Reply<Result> = { result: Result } | { failure: string };

/** `name` is the file, without its ending. */
export function startChild<Job extends object, Result>(name: string): Child<Job, Result> {
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  // Prisma's own way of reading relations inside a transaction makes pg warn.
  const execArgv = ['--no-deprecation'];
  const child = fork(file, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const { pid } = child;
  if (pid === undefined) throw new Error(`the process ${name} could not be started`);
  return {
    pid,
    run: (job) => replyTo(child, { name, job }),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

function replyTo<Result>(child: ChildProcess, { name, job }: { name: string; job: object }): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`the process ${name} ended during its job`));
    child.once('exit', onExit);
    child.once('message', (reply: Reply<Result>) => {
      child.off('exit', onExit);
      if ('failure' in reply) reject(new Error(`${name}: ${reply.failure}`));
      else resolve(reply.result);
    });
    child.send(job, (error) => error !== null && reject(error));
  });
}

/** The other side: does the parent's jobs, and ends when the parent lets go or is gone. */
export function serveParent<Job, Result>(
  work: (job: Job) => Promise<Result>,
  close: () => Promise<void> = async () => {},
): void {
  // A terminal's Ctrl-C reaches every process; the parent decides what it means.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('message', (job: Job) => {
    work(job).then(
      (result) => process.send?.({ result }),
      (error: Error) => process.send?.({ failure: error.stack ?? error.message }),
    );
  });
  process.once('disconnect', () => {
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
