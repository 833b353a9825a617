import { once } from 'node:events';
import { StartError } from '@roundhouse/service';
import type { Logger } from 'pino';
import { collectFigures } from './collectFigures.ts';
import type { AllFigures, WorkerJob } from './messages.ts';
import { Place } from './place.ts';
import { describeEnding } from './workerProcess.ts';

export type Workers = {
  /** Resolves with the one address once all of them listen; rejects with the reason of the first that cannot, or of the signal. */
  listening(signal: AbortSignal): Promise<string>;
  /** Resolves once none of them is ready any more. */
  retire(): Promise<void>;
  /** Waits until all have finished what is in flight and have ended. Before they all listen it ends them at once. */
  close(): Promise<void>;
};

type WorkersOptions = { job: WorkerJob; count: number; log: Logger };

/** Starts processes that share one port, and puts another in the place of each that dies. */
export function startWorkers({ job, count, log }: WorkersOptions): Workers {
  const workers = () => places.map(({ worker }) => worker);
  const stopping = new AbortController();
  const onFiguresWanted = (): Promise<AllFigures> => collectFigures(workers().map(({ figures }) => figures));
  // Due wallet calls are repeated in one place of a node: the queue has connections of its own and asks the database all the time.
  const places: Place[] = Array.from(
    { length: count },
    (_, index) => new Place({ job: { ...job, recovers: index === 0 }, onFiguresWanted, log }),
  );
  let isServing = false;

  const retire = async () => {
    stopping.abort();
    await Promise.all(workers().map((worker) => worker.retire()));
  };
  return {
    async listening(signal) {
      const all = Promise.all(workers().map((worker) => worker.listening()));
      const [url = ''] = await Promise.race([all, untilAborted(signal)]);
      isServing = true;
      for (const place of places) void place.keepFilled(stopping.signal);
      return url;
    },
    retire,
    async close() {
      if (isServing) await retire();
      else for (const worker of workers()) worker.kill();
      const endings = await Promise.all(workers().map(({ ended }) => ended));
      const bad = endings.find(({ code }) => code !== 0);
      if (isServing && bad !== undefined)
        throw new StartError(bad.reason ?? `A worker did not finish what was in flight: ${describeEnding(bad)}.`);
    },
  };
}

async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}
