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
    this.#worker = this.#start(options);
  }

  get worker(): WorkerProcess {
    return this.#worker;
  }

  /** Until the signal aborts. Who comes later listens on this port, which is the one that the first have found. */
  async keepFilled({ port, signal }: { port: number; signal: AbortSignal }): Promise<void> {
    const { job, onFiguresWanted, log } = this.#options;
    const pauses = new RestartPauses();
    for (;;) {
      const { pid, ...how } = await this.#worker.ended;
      if (signal.aborted) return;
      const pauseMs = pauses.afterLifeOf(performance.now() - this.#startedMs);
      log.error({ worker: pid, ...how, pauseMs }, 'a worker died');
      await wait(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      this.#worker = this.#start({ job: { ...job, port }, onFiguresWanted });
      this.#announce(this.#worker);
    }
  }

  #start(options: WorkerOptions): WorkerProcess {
    this.#startedMs = performance.now();
    return startWorker(options);
  }

  #announce({ pid, listening }: WorkerProcess): void {
    const { log } = this.#options;
    // One that cannot start dies, and is told as such.
    void listening().then(
      () => log.info({ worker: pid }, 'a worker took the place of one that died'),
      () => {},
    );
  }
}
