// This process is a worker of `roundhouse serve`: several share its port. When the primary is gone,
// node:cluster ends the worker at once.

import { closeSync } from 'node:fs';
import { CleanUp, createLog } from '@roundhouse/service';
import type { Counter, MetricObject, Registry } from 'prom-client';
import { createRoundStops } from '../../rounds/sessions/roundStops.ts';
import { explain } from '../../store/database/explain.ts';
import type { SharedMetrics } from '../../watch/metrics/metrics.ts';
import { type Message, nextMessage, type Send, type WorkerJob } from './messages.ts';
import { startServing } from './startServing.ts';
import { isCounted } from './workerSums.ts';

// A terminal and a service manager signal every process of a group. Only the primary decides what
// the signal means.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/**
 * A worker sends its counters this often. When it dies, what it has counted since then is lost; a
 * message takes 2 ms of the worker and the primary (decision 011).
 */
const COUNTED_MS = 5_000;

const send: Send = (message, onSent) => void process.send?.(message, undefined, {}, onSent);
const started = nextMessage(process, 'start');
const stopped = nextMessage(process, 'stop');
const stopping = new AbortController();
void stopped.then(() => stopping.abort());
const cleanUp = new CleanUp();
let isListening = false;
let registry: Registry | undefined;
/** The reports that are being made. The key says whether the format is OpenMetrics. */
const reporting = new Map<boolean, Promise<string>>();
/**
 * A process sends only reasons that it found itself: an echo could come after the end of the stop.
 */
const stopReasons = new Set<string>();
const roundStops = createRoundStops((reason) => send({ type: 'roundsStopped', reason }), stopReasons);
process.on('message', async (message: Message) => {
  if (message.type === 'start') for (const reason of message.job.roundStops) stopReasons.add(reason);
  if (message.type === 'roundsStopped') stopReasons.add(message.reason);
  if (message.type === 'roundsResumed') stopReasons.delete(message.reason);
  if (message.type === 'metricsWanted') {
    // Gauges may wait for the database. The counters come last, so that no older message follows
    // them.
    const gauges = await collect((metric) => !isCounted(metric));
    send({ type: 'metrics', request: message.request, metrics: [...gauges, ...(await collect(isCounted))] });
  }
});
const sharedMetrics: SharedMetrics = {
  share(own) {
    registry = own;
    setInterval(() => void sendCounted(), COUNTED_MS).unref();
  },
  /** Concurrent requests share one report. */
  report({ isOpenMetrics }) {
    const current = reporting.get(isOpenMetrics);
    if (current !== undefined) return current;
    const report = requestReport(isOpenMetrics).finally(() => reporting.delete(isOpenMetrics));
    reporting.set(isOpenMetrics, report);
    return report;
  },
};
send({ type: 'ready' });

try {
  const first = await Promise.race([started, stopped]);
  if (first.type === 'start') await serve(first.job).finally(() => cleanUp.run());
  process.exit(0);
} catch (error) {
  // A start that breaks off because the node stops is not an error.
  if (stopping.signal.aborted && !isListening) process.exit(0);
  send({ type: 'failed', reason: explain(error) }, () => process.exit(1));
}

async function serve(job: WorkerJob): Promise<void> {
  const log = createLog({ level: job.options.logLevel, pretty: false });
  // The last log lines are written first. An output that is open at the end would block the primary
  // (decision 011).
  process.once('exit', () => {
    for (const output of [process.stdout.fd, process.stderr.fd]) closeSync(output);
  });
  const { url, serves, close } = await startServing(job, {
    log,
    sharedMetrics,
    roundStops,
    cleanUp,
    signal: stopping.signal,
  });
  isListening = true;
  send({ type: 'listening', url, serves });
  await stopped;
  const closed = close();
  send({ type: 'draining' });
  await closed;
}

/** Gauges are not collected: each collection resets those of the event loop. */
async function sendCounted(): Promise<void> {
  send({ type: 'counted', metrics: await collect(isCounted) });
}

function collect(which: (metric: MetricObject) => boolean): Promise<MetricObject[]> {
  const metrics = (registry?.getMetricsAsArray() ?? []) as (MetricObject & Pick<Counter, 'get'>)[];
  return Promise.all(metrics.filter(which).map((metric) => metric.get()));
}

async function requestReport(isOpenMetrics: boolean): Promise<string> {
  const received = nextMessage(process, 'report', (message) => message.isOpenMetrics === isOpenMetrics);
  send({ type: 'reportWanted', isOpenMetrics });
  return (await received).text;
}
