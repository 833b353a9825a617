import type { WriterChange } from '@roundhouse/service';
import type { Logger } from 'pino';
import type { Listens } from '../../base/address.ts';
import type { Database } from '../../store/database/database.ts';
import { watchClocks } from './clockWatch.ts';
import { createEventQueue } from './eventQueue.ts';
import { countRefusedSignatures } from './refusedSignatures.ts';
import { watchWallets } from './walletOutages.ts';

export type NodeEventsOptions = {
  db: Database;
  log: Logger;
  /** One process records the events of its node as a whole. The others leave it out. */
  node?: { name: string; version: string; settings?: object } | undefined;
  /**
   * Refused signatures are counted for this many milliseconds. After an outage of a wallet the log
   * shows no new one for the same time.
   */
  windowMs?: number;
};

/** A process adds these events to the log on its own. No function of it throws. */
export type NodeEvents = ReturnType<typeof startNodeEvents>;

const WINDOW_MS = 60_000;

export function startNodeEvents({ db, log, node, windowMs = WINDOW_MS }: NodeEventsOptions) {
  const { record, drain } = createEventQueue({ db, log });
  const subject = `node ${node?.name}`;
  const startedMs = Date.now();
  const signatures = countRefusedSignatures({ record, windowMs });
  const { observeWalletRequest } = watchWallets({ record, windowMs });
  const clocks = watchClocks({
    db,
    log,
    onChange: (change) => node && record({ kind: 'clock_offset', subject, after: change }),
  });
  let lost: { sinceMs: number; why: string | undefined } | undefined;
  let isServing = false;
  let stopped: Promise<void> | undefined;

  async function stop(): Promise<void> {
    clocks.stop();
    signatures.stop();
    const after = { version: node?.version, lengthMs: Date.now() - startedMs };
    if (node && isServing) record({ kind: 'node_stopped', subject, after });
    await drain();
  }

  return {
    clockOffsetSeconds: clocks.clockOffsetSeconds,
    signatureRefused: signatures.signatureRefused,
    observeWalletRequest,

    /** Records a change of the writer when a server takes writes again. */
    databaseChanged(change: WriterChange): void {
      if (change.host === undefined) {
        lost ??= { sinceMs: Date.now(), why: change.why };
        return;
      }
      const lengthMs = lost === undefined ? 0 : Date.now() - lost.sinceMs;
      const after = { node: node?.name, change: change.kind, lengthMs, why: lost?.why };
      if (node) record({ kind: 'database_changed', subject: `database ${change.host}`, after });
      lost = undefined;
    },

    /** Records that the process responds from now on, and where: status sends its request there. */
    serving(listens?: Listens): void {
      isServing = true;
      if (!node) return;
      const { version, settings } = node;
      record({ kind: 'node_started', subject, after: { version, nodeVersion: process.version, settings, listens } });
    },

    /** Writes all waiting events. */
    stop(): Promise<void> {
      stopped ??= stop();
      return stopped;
    },
  };
}
