import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartError } from '@roundhouse/service';
import type { Logger } from 'pino';
import type { MetricObject } from 'prom-client';
import type { InstallWatch } from '../../lab/install/watchInstall.ts';
import { createPrimaryMetrics } from '../../watch/metrics/primaryMetrics.ts';
import { type ReportFormat, reportText } from '../../watch/metrics/report.ts';
import { type Message, nextMessage, type Send, type Served, type WorkerJob } from './messages.ts';
import { nodeFlags } from './nodeFlags.ts';
import type { NodeOptions } from './nodeOptions.ts';
import { createWorkerSums, type WorkerCounts } from './workerSums.ts';

const PROGRAM = fileURLToPath(new URL('./main.js', import.meta.url));
const LAST_MESSAGE_TIMEOUT_MS = 1_000;
/**
 * A worker that takes longer than this hangs, in milliseconds. It takes 2 seconds when the database
 * is away; Prometheus waits for 10 by default.
 */
const METRICS_TIMEOUT_MS = 4_000;
const STEADY_LIFE_MS = 30_000;
const FIRST_PAUSE_MS = 128;
const LONGEST_PAUSE_MS = 30_000;

export type Workers = {
  /**
   * Resolves once all listen, or once one listens and the signal is aborted. Rejects with the
   * reason of the first worker that cannot listen, or with that of the signal.
   */
  listening(signal: AbortSignal): Promise<Listening>;
  /** Resolves once no worker is ready any more. */
  retire(): Promise<void>;
  /** Waits until all have finished their requests. If none listens yet, it ends them soon. */
  close(): Promise<void>;
};

type Listening = { url: string; serves: Served };
type WorkersOptions = {
  options: NodeOptions;
  log: Logger;
  /** Given when the node checks its installation. */
  install?: Pick<InstallWatch, 'stopsRounds' | 'onChecked' | 'metrics'> | undefined;
};

const MISMATCH = 'the installation does not match its manifest';

/** Starts processes that share one port, and replaces each one that dies. */
export function startWorkers({ options, log, install }: WorkersOptions): Workers {
  // If Node gets two values, it takes the last one: that of its command line.
  cluster.setupPrimary({ exec: PROGRAM, args: [], execArgv: [...nodeFlags(options.workers), ...process.execArgv] });
  const roundStops = new Set(install?.stopsRounds() ? [MISMATCH] : []);
  const sums = createWorkerSums();
  const primaryMetrics = createPrimaryMetrics();
  /**
   * prom-client's collection over node:cluster would wait in vain for a worker that starts or ends.
   * For a worker that hangs, the report has what it had counted before (decision 011).
   */
  const report = async (format: ReportFormat) => {
    const gauges = (await Promise.all(workers.map((worker) => worker.gauges()))).filter((each) => each !== undefined);
    const own = await Promise.all([primaryMetrics.collect(gauges.length), install?.metrics() ?? []]);
    return reportText([...(await sums.counted()), ...gauges, ...own], format);
  };
  const deps: WorkerDeps = {
    roundStops,
    report,
    onRoundsStopped(reason) {
      if (roundStops.has(reason)) return;
      roundStops.add(reason);
      for (const worker of workers) worker.stopRounds(reason);
    },
  };
  // Only one process of a node retries wallet transactions, because each one polls the database
  // (decision 011).
  const first = startWorker(Promise.resolve({ options, recovers: true }), sums.take(0), deps);
  // The other workers load their code while the first prepares the node.
  const start = (index: number) =>
    startWorker(
      first.listening.then(({ serves }) => ({ options, recovers: index === 0, serves })),
      sums.take(index),
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
      primaryMetrics.workerDied();
      log.error({ worker: pid, ...ending, pauseMs }, 'a worker died');
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      const next = start(index);
      workers[index] = worker = next;
      const announce = ({ url }: Listening) =>
        log.info({ worker: next.pid, url }, 'a worker took the place of one that died');
      // When a worker cannot start it dies, and the next turn logs it.
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
      // A worker that listens finishes its requests in flight, even while another still starts.
      const aborted = once(signal, 'abort').then(() => Promise.race([first.listening, Promise.reject(signal.reason)]));
      const started = Promise.all(workers.map((worker) => worker.listening)).catch(async (error: StartError) => {
        // Ctrl-C also reaches the workers, and the primary may see the end of one before its own
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
 * Returns no pause after a first death, or when the worker ran for 30 seconds. After that each
 * pause is twice as long as the last, up to 30 seconds.
 */
export function nextPauseMs(lastMs: number | undefined, { livedMs }: { livedMs: number }): number {
  if (lastMs === undefined || livedMs >= STEADY_LIFE_MS) return 0;
  return lastMs === 0 ? FIRST_PAUSE_MS : Math.min(2 * lastMs, LONGEST_PAUSE_MS);
}

type RunningWorker = ReturnType<typeof startWorker>;

type WorkerDeps = {
  /** Returns the metrics of all workers and of the primary. */
  report(format: ReportFormat): Promise<string>;
  roundStops: ReadonlySet<string>;
  onRoundsStopped(reason: string): void;
};

function startWorker(
  job: Promise<Omit<WorkerJob, 'roundStops'>>,
  counts: WorkerCounts,
  { report, roundStops, onRoundsStopped }: WorkerDeps,
) {
  const worker = cluster.fork();
  const ended = endingOf(worker);
  const draining = nextMessage(worker, 'draining');
  const refused = ended.then((ending): never => {
    throw new StartError(ending.reason ?? `A worker could not start: ${describe(ending)}.`, { cause: ending });
  });
  const listening = Promise.race([nextMessage(worker, 'listening'), refused]);
  let isListening = false;
  // After an early stop nothing else waits for it.
  listening.then(
    () => {
      isListening = true;
    },
    () => {},
  );
  // A worker that has just ended gets no message. The callback keeps that from being an error.
  const send: Send = (message) => void worker.send(message, () => {});
  // node:cluster drops messages to a worker that is not ready (decision 011).
  const ready = nextMessage(worker, 'ready');
  // The worker ends when it gets no job, because the first worker could not start.
  Promise.all([job, ready]).then(
    ([known]) => send({ type: 'start', job: { ...known, roundStops: [...roundStops] } }),
    () => {},
  );
  const stop = () => void ready.then(() => send({ type: 'stop' }));
  worker.on('message', async (message: Message) => {
    if (message.type === 'roundsStopped') onRoundsStopped(message.reason);
    if (message.type === 'counted') counts.keep(message.metrics);
    if (message.type === 'metrics') collecting.get(message.request)?.(counts.keep(message.metrics));
    if (message.type !== 'reportWanted') return;
    const { isOpenMetrics } = message;
    send({ type: 'report', isOpenMetrics, text: await report({ isOpenMetrics }) });
  });
  let requests = 0;
  const collecting = new Map<number, (gauges: MetricObject[]) => void>();
  void ended.then(() => counts.end());
  closeUndelivered(worker);
  return {
    pid: worker.process.pid,
    startedMs: performance.now(),
    /** Rejects with a StartError when the worker ends before it listens. */
    listening,
    ended,
    /**
     * Keeps the counters of the worker, and returns its other metrics. Returns undefined before it
     * listens, after its end and while it hangs.
     */
    async gauges(): Promise<MetricObject[] | undefined> {
      if (!isListening) return undefined;
      requests += 1;
      const request = requests;
      const sent = new Promise<MetricObject[]>((resolve) => collecting.set(request, resolve));
      send({ type: 'metricsWanted', request });
      const tooLate = wait(METRICS_TIMEOUT_MS, undefined, { ref: false });
      const gauges = await Promise.race([sent, tooLate, ended.then(() => undefined)]);
      collecting.delete(request);
      return gauges;
    },
    /** A worker that has no job yet gets the reason with its job. */
    stopRounds: (reason: string) => send({ type: 'roundsStopped', reason }),
    resumeRounds: (reason: string) => send({ type: 'roundsResumed', reason }),
    /** Resolves once it is not ready any more, or has ended. */
    async retire() {
      stop();
      await Promise.race([draining, ended]);
    },
    /** Lets the worker remove what it was loading, unless that takes long. */
    end() {
      stop();
      const timer = setTimeout(() => worker.process.kill('SIGKILL'), LAST_MESSAGE_TIMEOUT_MS);
      void ended.then(() => clearTimeout(timer));
    },
  };
}

/** The reason is the one that the worker sent, if it still could. */
type Ending = { code: number | null; signal: string | null; reason: string | undefined };

function endingOf(worker: Worker): Promise<Ending> {
  let reason: string | undefined;
  void nextMessage(worker, 'failed').then((failure) => {
    reason = failure.reason;
  });
  return new Promise((resolve) => {
    worker.on('error', ({ message }) => {
      // Without a pid, the system had no process for it. With one, the worker has just ended, and
      // `exit` follows.
      if (worker.process.pid === undefined) resolve({ code: null, signal: null, reason: message });
    });
    worker.once('exit', async (code, signal) => {
      // The reason may still be in the channel. A channel that broke inside a message never closes.
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
 * such connection for each worker, and leaves it open: in 2 to 3 of 10 kills under load a client
 * waited forever (decision 011). A worker that ends in order has returned the connection to the
 * primary.
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
