import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '@roundhouse/service';
import type { Logger } from 'pino';
import { MS_PER_DAY } from '../../base/durations.ts';
import { stopWith } from '../../base/reason.ts';
import { createInstallMetrics, type InstallMetrics } from '../../watch/metrics/installMetrics.ts';
import { type CheckResult, outcomeOf, startCheck, type Trigger } from './check.ts';
import type { Place } from './installation.ts';
import type { ManifestFile } from './manifest.ts';

export type OnMismatch = 'log' | 'stop-rounds';

export type WatchOptions = ManifestFile & {
  onMismatch: OnMismatch;
  gamesFolder: string;
  /** A person requests a check in this folder. */
  dataFolder: string;
  database: string;
  log: Logger;
  /** The signal stops the first check. */
  signal?: AbortSignal;
  /** Tests start other checks. */
  start?: typeof startCheck;
};

export type InstallWatch = {
  /** Returns whether the node opens no new rounds. */
  stopsRounds(): boolean;
  /** Calls `listener` with each result. */
  onChecked(listener: () => void): void;
  metrics: InstallMetrics['metrics'];
  stop(): Promise<void>;
};

const LOOK_MS = 1_000;
/**
 * The next check comes soon after a mismatch, so that a repaired node opens rounds soon, and when
 * the event could not be recorded.
 */
const AGAIN_MS = 60_000;
const NAMES_OF_A_LINE = 20;
const REQUEST_FILE = 'verify-install.request';

/** Returns the place of this installation. */
export function placeOfThis(gamesFolder: string | undefined): Place {
  return {
    packageFolder: fileURLToPath(new URL('../../..', import.meta.url)),
    nodeFile: process.execPath,
    gamesFolder,
  };
}

/** Makes the nodes that run on the data folder check themselves within a second. */
export async function askNodes(dataFolder: string): Promise<void> {
  await writeFile(path.join(dataFolder, REQUEST_FILE), '').catch(stopWith(`No node can be asked in ${dataFolder}`));
}

/** Checks once, and goes on checking. Throws a StartError when the manifest cannot be used. */
export async function watchInstall(options: WatchOptions): Promise<InstallWatch> {
  const {
    log,
    onMismatch,
    dataFolder,
    gamesFolder,
    manifest,
    publicKey,
    database,
    signal,
    start = startCheck,
  } = options;
  const { observeCheck, metrics } = createInstallMetrics();
  const listeners: (() => void)[] = [];
  let isVerified = false;
  let lastOutcome: string | undefined;
  let lastRequestMs = await requestMs(dataFolder);
  let dueMs = 0;
  let running: ReturnType<typeof startCheck> | undefined;
  let looking: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  async function run(trigger: Trigger): Promise<CheckResult> {
    running = start({ manifest, publicKey, place: placeOfThis(gamesFolder), database, trigger, lastOutcome });
    const result = await running.result;
    const hasChanged = isVerified !== (result.report?.ok ?? false) || trigger === 'start';
    isVerified = result.report?.ok ?? false;
    observeCheck({ isVerified });
    if (hasChanged || trigger !== 'again') tell(log, result, { manifest, onMismatch });
    for (const listener of listeners) listener();
    return result;
  }
  async function finish(result: CheckResult): Promise<void> {
    const recorded = await running?.recorded;
    running = undefined;
    if (isStopped) return;
    lastOutcome = recorded === true ? outcomeOf(result) : undefined;
    if (recorded !== true)
      log.error({ reason: recorded }, 'the check of the installation could not be recorded; it is repeated');
    dueMs = performance.now() + (isVerified && recorded === true ? MS_PER_DAY : AGAIN_MS);
  }
  async function look(): Promise<void> {
    const askedMs = await requestMs(dataFolder);
    const isAsked = askedMs !== undefined && askedMs !== lastRequestMs;
    if (!isAsked && performance.now() < dueMs) return;
    lastRequestMs = askedMs;
    await finish(await run(isAsked ? 'asked' : isVerified && lastOutcome !== undefined ? 'daily' : 'again'));
  }

  const breakOff = () => void running?.stop();
  signal?.addEventListener('abort', breakOff);
  const first = await run('start');
  signal?.removeEventListener('abort', breakOff);
  if (first.error !== undefined) {
    // The event is the evidence, even for a node that does not start.
    await running?.recorded;
    throw new StartError(first.error);
  }
  let isLooking = true;
  const looked = (work: Promise<void>) => {
    looking = work.finally(() => {
      isLooking = false;
    });
  };
  looked(finish(first));
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    looked(look());
  }, LOOK_MS).unref();
  return {
    stopsRounds: () => onMismatch === 'stop-rounds' && !isVerified,
    onChecked: (listener) => void listeners.push(listener),
    metrics,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running?.stop();
      await looking;
    },
  };
}

/** Returns the time of the last request for a check. */
async function requestMs(dataFolder: string): Promise<number | undefined> {
  const file = await stat(path.join(dataFolder, REQUEST_FILE)).catch(() => undefined);
  return file?.mtimeMs;
}

function tell(
  log: Logger,
  { report, error }: CheckResult,
  { manifest, onMismatch }: Pick<WatchOptions, 'manifest' | 'onMismatch'>,
): void {
  const newRounds = onMismatch === 'stop-rounds' ? 'stopped' : 'allowed';
  if (report === undefined) {
    log.error({ manifest, newRounds, error }, 'the installation cannot be checked');
    return;
  }
  const { ok, expected, found, files, elements, durationMs, changed, missing, extra, unreadable } = report;
  if (ok) {
    log.info({ manifest, sha256: found, files, elements, durationMs }, 'the installation matches its manifest');
    return;
  }
  const lists = { changed, missing, extra, unreadable: Object.keys(unreadable) };
  const counted = Object.entries(lists).map(([kind, names]) => [kind, names.length]);
  const names = Object.values(lists).flat().slice(0, NAMES_OF_A_LINE);
  log.error(
    { manifest, newRounds, expected, found, ...Object.fromEntries(counted), names },
    'the installation does not match its manifest',
  );
}
