import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartError } from '@roundhouse/service';
import type { Logger } from 'pino';
import type { MetricObject } from 'prom-client';
import type { InstallWatch } from '../install/watchInstall.ts';
import { type ReportFormat, reportText } from '../metrics/report.ts';
import { type Message, nextMessage, type Report, type Send, type Served, type WorkerJob } from './messages.ts';
import { nodeFlags } from './nodeFlags.ts';
import type { NodeOptions } from './nodeOptions.ts';

const PROGRAM = fileURLToPath(new URL('./main.js', import.meta.url));
const LAST_MESSAGE_TIMEOUT_MS = 1_000;
/** A worker that takes longer hangs. Without it the sums would be wrong. */
const METRICS_TIMEOUT_MS = 5_000;
const STEADY_LIFE_MS = 30_000;
const FIRST_PAUSE_MS = 128;
const LONGEST_PAUSE_MS = 30_000;

export type Workers = {
  /**
   * Resolves once all listen, or once one does and the signal is aborted. Rejects with the reason
   * of the first that cannot, or of the signal.
   */
  listening(signal: AbortSignal): Promise<Listening>;
  /** Resolves once no worker is ready any more. */
  retire(): Promise<void>;
  /** Waits until all have finished their requests. Before one listens, it ends them soon. */
  close(): Promise<void>;
};

type Listening = { url: string; serves: Served };
type WorkersOptions = {
  options: NodeOptions;
  log: Logger;
  /** It is there when the node checks its installation. */
  install?: Pick<InstallWatch, 'stopsRounds' | 'onChecked' | 'metrics'> | undefined;
};

const MISMATCH = 'the installation does not match its manifest';

/** Starts processes that share one port, and replaces each that dies. */
export function startWorkers({ options, log, install }: WorkersOptions): Workers {
  // Node takes the last one of two values: that of its command line.
  cluster.setupPrimary({ exec: PROGRAM, args: [], execArgv: [...nodeFlags(options.workers), ...process.execArgv] });
  const roundStops = new Set(install?.stopsRounds() ? [MISMATCH] : []);
  const deps: WorkerDeps = {
    roundStops,
    report: (format) => reportOf(workers, { ...format, own: install?.metrics() }),
    onRoundsStopped(reason) {
      if (roundStops.has(reason)) return;
      roundStops.add(reason);
      for (const worker of workers) worker.stopRounds(reason);
    },
  };
  // One process of a node retries wallet transactions: each that did would poll the database.
  const first = startWorker(Promise.resolve({ options, recovers: true }), deps);
  // The others load their code while the first prepares the node.
  const start = (index: number) =>
    startWorker(
      first.listening.then(({ serves }) => ({ options, recovers: index === 0, serves })),
      deps,
    );
  const workers: RunningWorker[] = [first];
  while (workers.length < options.workers) workers.push(start(workers.length));
  install?.onChecked(() => {
    if (install.stopsRounds()) deps.onRoundsStopped(MISMATCH);
    else if (roundStops.delete(MISMATCH)) for (const worker of workers) worker.resumeRounds(MISMATCH);
  });
  const stopping = new AbortController();
  let isServing = false;

  const keepRunning = async (index: number) => {
    let pauseMs: number | undefined;
    for (let worker = workers[index]; worker !== undefined; ) {
      const { pid, startedMs, ended } = worker;
      const ending = await ended;
      if (stopping.signal.aborted) return;
      pauseMs = nextPauseMs(pauseMs, { livedMs: performance.now() - startedMs });
      log.error({ worker: pid, ...ending, pauseMs }, 'a worker died');
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      const next = start(index);
      workers[index] = worker = next;
      const announce = ({ url }: Listening) =>
        log.info({ worker: next.pid, url }, 'a worker took the place of one that died');
      // A worker that cannot start dies, and the next turn logs it.
      void next.listening.then(announce, () => {});
    }
  };
  const retire = async () => {
    stopping.abort();
    await Promise.all(workers.map((worker) => worker.retire()));
  };
  return {
    async listening(signal) {
      signal.throwIfAborted();
      // A worker that listens finishes its requests in flight, although another still starts.
      const aborted = once(signal, 'abort').then(() => Promise.race([first.listening, Promise.reject(signal.reason)]));
      const started = Promise.all(workers.map((worker) => worker.listening)).catch(async (error: StartError) => {
        // Ctrl-C reaches the workers too, and the primary may see the end of one before its own
        // signal.
        if ((error.cause as Ending).signal === 'SIGINT') await Promise.race([aborted, wait(LAST_MESSAGE_TIMEOUT_MS)]);
        throw error;
      });
      const listening = await Promise.race([started.then(() => first.listening), aborted]);
      isServing = true;
      for (const index of workers.keys()) void keepRunning(index);
      return listening;
    },
    retire,
    async close() {
      if (isServing) await retire();
      else for (const worker of workers) worker.end();
      const endings = await Promise.all(workers.map(({ ended }) => ended));
      const bad = endings.find(({ code }) => code !== 0);
      if (isServing && bad !== undefined)
        throw new StartError(bad.reason ?? `A worker did not finish what was in flight: ${describe(bad)}.`);
    },
  };
}

/**
 * Returns no pause after a first death, or when the worker ran for 30 seconds; then one that is
 * twice as long each time, up to 30 seconds.
 */
export function nextPauseMs(lastMs: number | undefined, { livedMs }: { livedMs: number }): number {
  if (lastMs === undefined || livedMs >= STEADY_LIFE_MS) return 0;
  return lastMs === 0 ? FIRST_PAUSE_MS : Math.min(2 * lastMs, LONGEST_PAUSE_MS);
}

/**
 * prom-client's own collection over node:cluster would wait in vain for a worker that starts or
 * ends. `own` is that of the primary.
 */
async function reportOf(
  workers: readonly RunningWorker[],
  { own, isOpenMetrics }: ReportFormat & { own: Promise<MetricObject[]> | undefined },
): Promise<Report> {
  const collected = Promise.all([...workers.map((worker) => worker.metrics()), own ?? []]);
  const metrics = await Promise.race([collected, wait(METRICS_TIMEOUT_MS, undefined, { ref: false })]);
  if (metrics === undefined) return { error: `a worker did not send its metrics within ${METRICS_TIMEOUT_MS} ms` };
  return { text: await reportText(metrics, { isOpenMetrics }) };
}

type RunningWorker = ReturnType<typeof startWorker>;

type WorkerDeps = {
  report(format: ReportFormat): Promise<Report>;
  roundStops: ReadonlySet<string>;
  onRoundsStopped(reason: string): void;
};

function startWorker(job: Promise<Omit<WorkerJob, 'roundStops'>>, { report, roundStops, onRoundsStopped }: WorkerDeps) {
  const worker = cluster.fork();
  // A worker that hangs keeps a listener for each collection of metrics that it misses.
  worker.setMaxListeners(0);
  const ended = endingOf(worker);
  const draining = nextMessage(worker, 'draining');
  const refused = ended.then((ending): never => {
    throw new StartError(ending.reason ?? `A worker could not start: ${describe(ending)}.`, { cause: ending });
  });
  const listening = Promise.race([nextMessage(worker, 'listening'), refused]);
  let isListening = false;
  // After an early stop nobody else waits for it.
  listening.then(
    () => {
      isListening = true;
    },
    () => {},
  );
  // A worker that has just ended gets no message. The callback keeps that from being an error.
  const send: Send = (message) => void worker.send(message, () => {});
  // node:cluster drops what is sent to a worker that is not ready.
  const ready = nextMessage(worker, 'ready');
  // The worker ends when it gets no job, because the first could not start.
  Promise.all([job, ready]).then(
    ([known]) => send({ type: 'start', job: { ...known, roundStops: [...roundStops] } }),
    () => {},
  );
  const stop = () => void ready.then(() => send({ type: 'stop' }));
  worker.on('message', async (message: Message) => {
    if (message.type === 'roundsStopped') onRoundsStopped(message.reason);
    if (message.type !== 'reportWanted') return;
    const { isOpenMetrics } = message;
    send({ type: 'report', isOpenMetrics, report: await report({ isOpenMetrics }) });
  });
  closeUndelivered(worker);
  return {
    pid: worker.process.pid,
    startedMs: performance.now(),
    /** Rejects with a StartError when the worker ends before it listens. */
    listening,
    ended,
    /** Returns no metrics before it listens and after its end. */
    async metrics(): Promise<MetricObject[]> {
      if (!isListening) return [];
      const sent = nextMessage(worker, 'metrics').then(({ metrics }) => metrics);
      send({ type: 'metricsWanted' });
      return Promise.race([sent, ended.then(() => [])]);
    },
    /** A worker without its job yet gets the reason with its job. */
    stopRounds: (reason: string) => send({ type: 'roundsStopped', reason }),
    resumeRounds: (reason: string) => send({ type: 'roundsResumed', reason }),
    /** Resolves once it is not ready any more, or has ended. */
    async retire() {
      stop();
      await Promise.race([draining, ended]);
    },
    /** The worker removes what it was loading, unless that takes long. */
    end() {
      stop();
      const timer = setTimeout(() => worker.process.kill('SIGKILL'), LAST_MESSAGE_TIMEOUT_MS);
      void ended.then(() => clearTimeout(timer));
    },
  };
}

/** The reason is the worker's own, when it could still send one. */
type Ending = { code: number | null; signal: string | null; reason: string | undefined };

function endingOf(worker: Worker): Promise<Ending> {
  let reason: string | undefined;
  void nextMessage(worker, 'failed').then((failure) => {
    reason = failure.reason;
  });
  return new Promise((resolve) => {
    worker.on('error', ({ message }) => {
      // Without a pid, the system had no process for it. Else the worker has just ended, and `exit`
      // follows.
      if (worker.process.pid === undefined) resolve({ code: null, signal: null, reason: message });
    });
    worker.once('exit', async (code, signal) => {
      // The reason may still be in the channel. A channel that broke inside a message has no end.
      if (worker.isConnected()) await Promise.race([once(worker, 'disconnect'), wait(LAST_MESSAGE_TIMEOUT_MS)]);
      resolve({ code, signal, reason });
    });
  });
}

function describe({ code, signal }: Ending): string {
  return signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
}

/**
 * Closes the connection that was on its way to a worker when the worker died. node:cluster has one
 * such connection for each worker, and forgets it open: in 2 to 3 of 10 kills under load a client
 * waited forever. A worker that ends in order has returned the connection to the primary.
 */
function closeUndelivered({ process: child }: Worker): void {
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  let last: { close?(): void } | undefined;
  child.send = (message: unknown, handle?: unknown, ...rest: unknown[]) => {
    if (typeof handle === 'object' && handle !== null) last = handle;
    return send(message, handle, ...rest);
  };
  child.once('exit', (code) => code !== 0 && last?.close?.());
}
