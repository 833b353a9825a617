import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Place } from './installation.ts';
import type { InstallReport } from './installReport.ts';
import type { ManifestFile } from './manifest.ts';

/**
 * Checks run at start, every 24 hours, when a person requests one, and again after one that failed.
 */
export type Trigger = 'start' | 'daily' | 'asked' | 'again';

/** The thread takes plain data only. */
export type CheckJob = ManifestFile & {
  place: Place;
  database: string;
  trigger: Trigger;
  /** The newest event has this outcome. */
  lastOutcome: string | undefined;
};

/** `error` says that the manifest cannot be used. */
export type CheckResult = { report: InstallReport; error?: never } | { error: string; report?: never };

export type CheckMessage = { result: CheckResult } | { recorded: true | string };

export type RunningCheck = {
  result: Promise<CheckResult>;
  /** Resolves with true when the event is in the database, else with the reason. */
  recorded: Promise<true | string>;
  stop(): Promise<unknown>;
};

const PROGRAM = new URL('./checkThread.js', import.meta.url);

/** Returns equal texts for checks that have found the same. */
export function outcomeOf({ report, error }: CheckResult): string {
  return report === undefined ? error : `${report.ok} ${report.expected} ${report.found}`;
}

/** Checks in a thread, which ends when the event is recorded. */
export function startCheck(job: CheckJob): RunningCheck {
  const thread = new Worker(PROGRAM, { workerData: job });
  const ended = once(thread, 'exit').then(
    () => 'the check was broken off',
    (error: Error) => error.message,
  );
  const result = new Promise<CheckResult>((resolve) => {
    thread.on('message', (message: CheckMessage) => 'result' in message && resolve(message.result));
    void ended.then((error) => resolve({ error }));
  });
  const recorded = new Promise<true | string>((resolve) => {
    thread.on('message', (message: CheckMessage) => 'recorded' in message && resolve(message.recorded));
    void ended.then(resolve);
  });
  return { result, recorded, stop: () => thread.terminate() };
}
