// One of the processes of `roundhouse serve` that share its port. It ends with the first process: node:cluster sees to it that a worker
// whose channel is cut exits at once.

import { CleanUp, createLog } from '@roundhouse/service';
import { explain } from '../cli/explain.ts';
import { startServing } from '../cli/serveJob.ts';
import { openDatabase } from '../ledger/database.ts';
import { type FirstProcess, listenToFirstProcess } from './firstProcess.ts';
import { openGames } from './openGames.ts';

// A terminal and a service manager signal every process of a group. The first one decides what is done about it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const firstProcess = listenToFirstProcess();
const cleanUp = new CleanUp();
try {
  await serve(firstProcess).finally(() => cleanUp.run());
  process.exit(0);
} catch (error) {
  await firstProcess.tell({ type: 'failed', reason: explain(error) });
  process.exit(1);
}

async function serve({ job: given, stopped, tell, figures }: FirstProcess): Promise<void> {
  const job = await given;
  const log = createLog({ level: job.logLevel, pretty: false });
  const db = openDatabase(job.database);
  cleanUp.add(() => db.$disconnect());
  const catalogue = await openGames(job, db);
  cleanUp.add(catalogue.close);
  const server = await startServing(job, { db, catalogue, log, figures });
  await tell({ type: 'listening', url: server.url });
  await stopped;
  const closed = server.close();
  await tell({ type: 'draining' });
  await closed;
}
