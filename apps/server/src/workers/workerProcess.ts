import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { StartError } from '@roundhouse/service';
import type { AllFigures, Figures, FromWorker, ToWorker, WorkerJob } from './messages.ts';
import { Questions } from './questions.ts';
import { closeUndelivered } from './undelivered.ts';

const LAST_WORDS_TIMEOUT_MS = 1_000;
const PROGRAM = fileURLToPath(new URL('../../bin/worker.js', import.meta.url));

export type WorkerOptions = {
  job: WorkerJob;
  /** Asked by a worker that has to tell the figures of all. */
  onFiguresWanted: () => Promise<AllFigures>;
};

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
  /** What it has counted, or undefined while it does not serve yet and when it has ended. */
  figures(): Promise<Figures | undefined>;
  ended: Promise<Ending>;
  /** Tells it to stop, and resolves once it is not ready any more, or has ended. */
  retire(): Promise<void>;
  /** Ends it at once, whatever it is doing. */
  kill(): void;
};

export function startWorker({ job, onFiguresWanted }: WorkerOptions): WorkerProcess {
  cluster.setupPrimary({ exec: PROGRAM, args: [] });
  const worker = cluster.fork();
  closeUndelivered(worker);
  const heard = listen(worker, { job, onFiguresWanted });
  const ended = ending(worker, heard);
  return {
    pid: worker.process.pid,
    listening: () =>
      Promise.race([
        heard.listening,
        ended.then((end): never => {
          throw new StartError(end.reason ?? `A worker could not start: ${describeEnding(end)}.`);
        }),
      ]),
    async figures() {
      if (!heard.isListening) return undefined;
      const told = heard.questions.ask((id) => tell(worker, { type: 'figuresWanted', id }));
      return Promise.race([told, ended.then(() => undefined)]);
    },
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

type Heard = {
  listening: Promise<string>;
  isListening: boolean;
  draining: Promise<void>;
  reason: string | undefined;
  questions: Questions<Figures>;
};

function listen(worker: Worker, { job, onFiguresWanted }: WorkerOptions): Heard {
  const questions = new Questions<Figures>();
  let onListening = (_url: string) => {};
  let onDraining = () => {};
  const listening = new Promise<string>((resolve) => {
    onListening = resolve;
  });
  const draining = new Promise<void>((resolve) => {
    onDraining = resolve;
  });
  const heard: Heard = { listening, isListening: false, draining, reason: undefined, questions };
  worker.on('message', (message: FromWorker) => {
    switch (message.type) {
      case 'ready':
        return tell(worker, { type: 'start', job });
      case 'listening':
        heard.isListening = true;
        return onListening(message.url);
      case 'draining':
        return onDraining();
      case 'failed':
        heard.reason = message.reason;
        return;
      case 'figures':
        return questions.answered(message.id, message.figures);
      case 'allFiguresWanted':
        return void onFiguresWanted().then((figures) => tell(worker, { type: 'allFigures', id: message.id, figures }));
    }
  });
  return heard;
}

async function ending(worker: Worker, heard: Heard): Promise<Ending> {
  const { pid } = worker.process;
  // Also what is said after the end: without a listener it would end us.
  worker.on('error', () => {});
  try {
    const [code, signal] = await once(worker, 'exit');
    if (worker.isConnected()) await lastWords(worker);
    return { pid, code, signal, reason: heard.reason };
  } catch (error) {
    // The system had no process for us.
    return { pid, code: null, signal: null, reason: heard.reason ?? (error as Error).message };
  }
}

/**
 * What a worker said last may still be in the channel when its process has ended. The wait has an end, because Node does not tell the end
 * of a channel that broke within a message.
 */
async function lastWords(worker: Worker): Promise<void> {
  const signal = AbortSignal.timeout(LAST_WORDS_TIMEOUT_MS);
  await once(worker, 'disconnect', { signal }).catch(() => {});
}

/** To a worker that has just ended nothing can be said; that it has is known without this. */
function tell(worker: Worker, message: ToWorker): void {
  worker.send(message, () => {});
}
