import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartError } from '@roundhouse/service';
import type { Logger } from 'pino';
import type { ConsoleMessage } from '../adminApi/main.ts';
import type { ConsoleJob } from '../adminApi/startConsole.ts';
import { nextPauseMs } from './startWorkers.ts';

const PROGRAM = fileURLToPath(new URL('../adminApi/main.js', import.meta.url));

/** The console runs beside the workers: what its users read takes no time from players. */
export type ConsoleProcess = { url: string; close(): Promise<void> };

/** Starts the process of the console, and another one when it dies. */
export async function startConsoleProcess(
  job: ConsoleJob,
  { log, logLevel }: { log: Logger; logLevel: string },
): Promise<ConsoleProcess> {
  const stopping = new AbortController();
  const start = async () => {
    const child = fork(PROGRAM, [], { stdio: 'inherit' });
    const startedMs = performance.now();
    const exited = once(child, 'exit');
    child.send({ type: 'start', job, logLevel } satisfies ConsoleMessage, () => {});
    return { child, startedMs, exited, url: await listeningUrl(child) };
  };
  const first = await start();
  let running = first;
  const keepRunning = async () => {
    let pauseMs: number | undefined;
    while (!stopping.signal.aborted) {
      await running.exited;
      if (stopping.signal.aborted) return;
      pauseMs = nextPauseMs(pauseMs, { livedMs: performance.now() - running.startedMs });
      log.error({ pauseMs }, 'the process of the console died');
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      running = await start().catch((error: Error) => {
        log.error({ err: error }, 'the console cannot start');
        return { ...running, startedMs: performance.now(), exited: Promise.resolve([]) };
      });
    }
  };
  void keepRunning();
  return {
    url: first.url,
    async close() {
      stopping.abort();
      const { child, exited } = running;
      if (child.connected) child.disconnect();
      if (child.exitCode === null && child.signalCode === null) await exited;
    },
  };
}

/** @throws StartError with the reason of the process, when it cannot listen. */
async function listeningUrl(child: ChildProcess): Promise<string> {
  const ended = once(child, 'exit').then((): ConsoleMessage => ({ type: 'failed', reason: 'its process ended' }));
  const message = await Promise.race([once(child, 'message').then(([sent]) => sent as ConsoleMessage), ended]);
  if (message.type === 'listening') return message.url;
  throw new StartError(`The console cannot start: ${message.type === 'failed' ? message.reason : message.type}`);
}
