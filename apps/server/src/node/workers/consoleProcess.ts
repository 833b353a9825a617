import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartError } from '@roundhouse/service';
import type { Logger } from 'pino';
import type { ConsoleMessage } from '../../staff/console/main.ts';
import type { ConsoleJob } from '../../staff/console/startConsole.ts';
import { nextPauseMs } from './startWorkers.ts';

const PROGRAM = fileURLToPath(new URL('../../staff/console/main.js', import.meta.url));

/** It runs beside the workers, so what users of the console read takes no time from players. */
export type ConsoleProcess = { url: string; close(): Promise<void> };

/** Starts the process of the console, and a new one when it dies. */
export async function startConsoleProcess(
  job: ConsoleJob,
  { log, logLevel }: { log: Logger; logLevel: string },
): Promise<ConsoleProcess> {
  const stopping = new AbortController();
  let { port } = job;
  const start = async () => {
    const child = fork(PROGRAM, [], { stdio: 'inherit' });
    const startedMs = performance.now();
    const exited = once(child, 'exit');
    child.send({ type: 'start', job: { ...job, port }, logLevel } satisfies ConsoleMessage, () => {});
    const listening = await listeningOf(child);
    // A later process takes the port of the first one, even if the system has chosen it.
    port = listening.port;
    return { child, startedMs, exited, url: listening.url };
  };
  const first = await start();
  let running = first;
  const stop = () => running.child.connected && running.child.disconnect();
  const keepRunning = async () => {
    let pauseMs: number | undefined;
    for (;;) {
      await running.exited;
      if (stopping.signal.aborted) return;
      pauseMs = nextPauseMs(pauseMs, { livedMs: performance.now() - running.startedMs });
      log.error({ pauseMs }, 'the process of the console died');
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      const dead = { ...running, startedMs: performance.now() };
      running = await start().catch((err: Error) => {
        log.error({ err }, 'the console cannot start');
        return dead;
      });
      // close() was called before this process existed.
      if (stopping.signal.aborted) stop();
    }
  };
  const kept = keepRunning();
  return {
    url: first.url,
    async close() {
      stopping.abort();
      stop();
      await kept;
    },
  };
}

/** @throws StartError with the reason of the process, when it cannot listen. */
async function listeningOf(child: ChildProcess): Promise<{ url: string; port: number }> {
  const ended = once(child, 'exit').then((): ConsoleMessage => ({ type: 'failed', reason: 'its process ended' }));
  const message = await Promise.race([once(child, 'message').then(([sent]) => sent as ConsoleMessage), ended]);
  if (message.type === 'listening') return message;
  throw new StartError(`The console cannot start: ${message.type === 'failed' ? message.reason : message.type}`);
}
