// The primary of `roundhouse serve` starts this process of the console and replaces it when it
// dies; no player's request runs here.

import os from 'node:os';
import { createLog } from '@roundhouse/service';
import { explain } from '../../store/database/explain.ts';
import { type ConsoleJob, startConsole } from './startConsole.ts';

/** The primary sends the first, and gets the others. */
export type ConsoleMessage =
  | { type: 'start'; job: ConsoleJob; logLevel: string }
  | { type: 'listening'; url: string; port: number }
  | { type: 'failed'; reason: string };

// Players come first when the processors are busy.
try {
  // A process that is lower already may not raise itself.
  os.setPriority(Math.max(os.getPriority(), os.constants.priority.PRIORITY_BELOW_NORMAL));
} catch {
  // A service manager may forbid this. The console then runs like the workers.
}
// A terminal and a service manager signal every process of a group. The primary decides.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.once('message', async (message: ConsoleMessage) => {
  if (message.type !== 'start') return;
  const log = createLog({ level: message.logLevel, pretty: false });
  try {
    const server = await startConsole(message.job, { log });
    // The primary closes the channel to stop this process, and a dead primary has closed it too.
    process.once('disconnect', () => void server.close().finally(() => process.exit(0)));
    process.send?.({ type: 'listening', url: server.url, port: server.port } satisfies ConsoleMessage);
  } catch (error) {
    process.send?.({ type: 'failed', reason: explain(error) } satisfies ConsoleMessage, () => process.exit(1));
  }
});
