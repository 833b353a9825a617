import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { StartError } from '../../startError.ts';
import type { FromWorker, ToWorker, WorkerJob } from './messages.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/worker.js', import.meta.url));

/** Asks every worker for its figures, and answers all of them as text. */
export type CollectFigures = () => Promise<string>;

/** How a worker ended; the reason is its own, if it could still say one. */
export type Ending = {
  pid: number | undefined;
  code: number | null;
  signal: string | null;
  reason: string | undefined;
};

/** A worker as the first process sees it. */
export type WorkerProcess = {
  pid: number | undefined;
  /** Where it answers. Rejects with a StartError when it ends before that. */
  listening(): Promise<string>;
  ended: Promise<Ending>;
  /** Tells it to stop, and resolves once it is not ready any more, or has ended. */
  retire(): Promise<void>;
  /** Ends it at once, whatever it is doing. */
  kill(): void;
};

export function startWorker(job: WorkerJob, collectFigures: CollectFigures): WorkerProcess {
  cluster.setupPrimary({ exec: PROGRAM, args: [] });
  const worker = cluster.fork();
  const heard = listen(worker, collectFigures);
  const ended = ending(worker, heard);
  tell(worker, { type: 'start', job });
  return {
    pid: worker.process.pid,
    listening: () =>
      Promise.race([
        heard.listening,
        ended.then((end): never => {
          throw new StartError(end.reason ?? `A worker could not start: ${describeEnding(end)}.`);
        }),
      ]),
    ended,
    async retire() {
      tell(worker, { type: 'stop' });
      await Promise.race([heard.draining, ended]);
    },
    kill: () => void worker.process.kill('SIGKILL'),
  };
}

export function describeEnding({ code, signal }: Ending): string {
  return signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
}

type Heard = { listening: Promise<string>; draining: Promise<void>; reason?: string };

function listen(worker: Worker, collectFigures: CollectFigures): Heard {
  let onListening = (_url: string) => {};
  let onDraining = () => {};
  const heard: Heard = {
    listening: new Promise((resolve) => {
      onListening = resolve;
    }),
    draining: new Promise((resolve) => {
      onDraining = resolve;
    }),
  };
  worker.on('message', (message: FromWorker) => {
    if (message.type === 'listening') onListening(message.url);
    else if (message.type === 'draining') onDraining();
    else if (message.type === 'failed') heard.reason = message.reason;
    else if (message.type === 'figuresWanted') void answerFigures(worker, { id: message.id, collectFigures });
  });
  return heard;
}

/** Its last words may still be in the channel when the process has ended, so both ends are waited for. */
async function ending(worker: Worker, heard: Heard): Promise<Ending> {
  const { pid } = worker.process;
  // Also what is said after the end: without a listener it would end us.
  worker.on('error', () => {});
  try {
    const [[code, signal]] = await Promise.all([once(worker, 'exit'), once(worker, 'disconnect')]);
    return { pid, code, signal, reason: heard.reason };
  } catch (error) {
    // The system had no process for us.
    return { pid, code: null, signal: null, reason: heard.reason ?? (error as Error).message };
  }
}

async function answerFigures(
  worker: Worker,
  { id, collectFigures }: { id: number; collectFigures: CollectFigures },
): Promise<void> {
  const answer = await collectFigures().then(
    (text): ToWorker => ({ type: 'figures', id, text }),
    (error: Error): ToWorker => ({ type: 'noFigures', id, why: error.message }),
  );
  tell(worker, answer);
}

/** To a worker that has just ended nothing can be said; that it has is known without this. */
function tell(worker: Worker, message: ToWorker): void {
  worker.send(message, () => {});
}
