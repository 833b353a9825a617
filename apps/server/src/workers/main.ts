// One of the processes of `roundhouse serve` that share its port. When the primary is gone,
// node:cluster ends the worker at once.

import { CleanUp, createLog, StartError } from '@roundhouse/service';
import type { Registry } from 'prom-client';
import { explain } from '../cli/explain.ts';
import { loadGames } from '../cli/loadGames.ts';
import { startServing } from '../cli/serveJob.ts';
import type { SharedMetrics } from '../http/monitoring.ts';
import { openDatabase } from '../ledger/database.ts';
import { gamesMark, nextMessage, type Send, type WorkerJob } from './messages.ts';

// A terminal and a service manager signal every process of a group. The primary decides what the
// signal means.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const send: Send = (message, onSent) => void process.send?.(message, undefined, {}, onSent);
const started = nextMessage(process, 'start');
const stopped = nextMessage(process, 'stop');
const cleanUp = new CleanUp();
let registry: Registry | undefined;
let reporting: Promise<string> | undefined;
process.on('message', async ({ type }) => {
  if (type === 'metricsWanted') send({ type: 'metrics', metrics: (await registry?.getMetricsAsJSON()) ?? [] });
});
const sharedMetrics: SharedMetrics = {
  share(own) {
    registry = own;
  },
  /** Requests at the same time share one report. */
  report() {
    reporting ??= requestReport().finally(() => {
      reporting = undefined;
    });
    return reporting;
  },
};
send({ type: 'ready' });

try {
  const { job } = await started;
  await serve(job).finally(() => cleanUp.run());
  process.exit(0);
} catch (error) {
  send({ type: 'failed', reason: explain(error) }, () => process.exit(1));
}

async function serve(job: WorkerJob): Promise<void> {
  const { database, folders, currencies, storeFolder } = job;
  const log = createLog({ level: job.logLevel, pretty: false });
  const db = openDatabase(database);
  cleanUp.add(() => db.$disconnect());
  // The primary has logged the warnings. It has indexed the books, so loading takes milliseconds.
  const catalogue = await loadGames({ db, folders, currencies, storeFolder, warn: () => {} });
  cleanUp.add(catalogue.close);
  // The games of a worker that starts later may have changed. It would serve other games
  // than its neighbours.
  if (gamesMark(catalogue) !== job.games)
    throw new StartError('The games on the disk are not those that the node was started with: restart it.');
  const server = await startServing(job, { db, catalogue, log, sharedMetrics });
  send({ type: 'listening', url: server.url });
  await stopped;
  const closed = server.close();
  send({ type: 'draining' });
  await closed;
}

async function requestReport(): Promise<string> {
  const received = nextMessage(process, 'report');
  send({ type: 'reportWanted' });
  const { report } = await received;
  if ('error' in report) throw new Error(report.error);
  return report.text;
}
