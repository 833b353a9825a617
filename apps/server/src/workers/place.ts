import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { RestartPauses } from './restartPauses.ts';
import { startWorker, type WorkerOptions, type WorkerProcess } from './workerProcess.ts';

type PlaceOptions = WorkerOptions & { log: Logger };

/** A worker, and after its death whoever takes its place with the same job. */
export class Place {
  readonly #options: PlaceOptions;
  #worker: WorkerProcess;
  #startedMs = 0;

  constructor(options: PlaceOptions) {
    this.#options = options;
    this.#worker = this.#start();
  }

  get worker(): WorkerProcess {
    return this.#worker;
  }

  /** Until the signal aborts. */
  async keepFilled(signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    const pauses = new RestartPauses();
    for (;;) {
      const { pid, ...how } = await this.#worker.ended;
      if (signal.aborted) return;
      const pauseMs = pauses.afterLifeOf(performance.now() - this.#startedMs);
      log.error({ worker: pid, ...how, pauseMs }, 'a worker died');
      await wait(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      this.#worker = this.#start();
      this.#announce(this.#worker);
    }
  }

  #start(): WorkerProcess {
    this.#startedMs = performance.now();
    return startWorker(this.#options);
  }

  #announce({ pid, listening }: WorkerProcess): void {
    const { log } = this.#options;
    // One that cannot start dies, and is told as such.
    void listening().then(
      (url) => log.info({ worker: pid, url }, 'a worker took the place of one that died'),
      () => {},
    );
  }
}
