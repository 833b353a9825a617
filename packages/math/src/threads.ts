import { Worker } from 'node:worker_threads';

type Threads<Message> = {
  script: URL;
  /** Each job is the `workerData` of a separate thread. */
  jobs: readonly unknown[];
  onMessage: (message: Message) => void;
  signal: AbortSignal | undefined;
};

/**
 * Runs the script in a thread for each job. Resolves when all of them have ended. Rejects with what
 * one of them throws, and with the signal's reason; no thread is left then.
 */
export async function runThreads<Message>({ script, jobs, onMessage, signal }: Threads<Message>): Promise<void> {
  signal?.throwIfAborted();
  const threads = jobs.map((workerData) => new Worker(script, { workerData }));
  try {
    await Promise.all(threads.map((thread) => endOf(thread, { onMessage, signal })));
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}

type Watch<Message> = Pick<Threads<Message>, 'onMessage' | 'signal'>;

function endOf<Message>(thread: Worker, { onMessage, signal }: Watch<Message>): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    thread.on('message', onMessage);
    thread.once('error', reject);
    thread.once('exit', (code) => {
      signal?.removeEventListener('abort', abort);
      if (code === 0) resolve();
      else reject(new Error(`a thread of the simulation ended with code ${code}`));
    });
  });
}

/** Throws for a number of threads that is not 1 or more. */
export function requireThreads(count: number): void {
  if (!(Number.isInteger(count) && count > 0)) throw new RangeError(`workers must be 1 or more, not ${count}`);
}
