import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Database, databaseClock } from '../ledger/database.ts';
import { recordEvent, type SignificantEvent } from '../ledger/queries/significantEvents.ts';

export type NodeEventsOptions = {
  db: Database;
  log: Logger;
  /** Of the one process that records what concerns its node as a whole; left out by the others. */
  node?: { name: string; version: string; settings?: object } | undefined;
  /**
   * Refused signatures are counted for so long, and so long after an outage of a wallet none begins
   * in the log, in milliseconds.
   */
  windowMs?: number;
};

/** What a process adds to the log of significant events by itself. No function of it throws. */
export type NodeEvents = ReturnType<typeof startNodeEvents>;

const WINDOW_MS = 60_000;
/** GLI-19 2.2.2: the clocks of all components agree within a second. */
const MAX_CLOCK_OFFSET_MS = 1_000;
const CLOCK_PAUSE_MS = 60_000;
const CLOCK_TRIPS = 3;
/** After as many the wallet client pauses an operator. */
const FAILURES_OF_AN_OUTAGE = 10;
const MOST_ADDRESSES = 20;

type Refused = { count: number; addresses: Set<string>; timer: NodeJS.Timeout };
type Wallet = { failures: number; sinceMs: number; isReported: boolean; quietUntilMs: number };

export function startNodeEvents({ db, log, node, windowMs = WINDOW_MS }: NodeEventsOptions) {
  const { record, drain } = createQueue({ db, log });
  const name = `node ${node?.name}`;
  const startedMs = Date.now();
  let isServing = false;
  let stopped: Promise<void> | undefined;

  const refused = new Map<string, Refused>();
  const reportRefused = (subject: string) => {
    const { count = 0, addresses = [], timer } = refused.get(subject) ?? {};
    clearTimeout(timer);
    refused.delete(subject);
    record({ kind: 'signature_refused', subject, after: { count, addresses: [...addresses] } });
  };

  const wallets = new Map<string, Wallet>();
  let lost: { sinceMs: number; why: string | undefined } | undefined;

  let clockOffsetMs: number | undefined;
  let isClockWrong = false;
  const lookAtClocks = async () => {
    clockOffsetMs = await clockOffset(db).catch(() => undefined);
    if (clockOffsetMs === undefined || Math.abs(clockOffsetMs) > MAX_CLOCK_OFFSET_MS === isClockWrong) return;
    isClockWrong = !isClockWrong;
    log.error({ clockOffsetMs, isClockWrong }, 'the clocks of this machine and of the database');
    if (node)
      record({ kind: 'clock_offset', subject: name, after: { offsetMs: clockOffsetMs, isTooLarge: isClockWrong } });
  };
  void lookAtClocks();
  const clockTimer = setInterval(() => void lookAtClocks(), CLOCK_PAUSE_MS).unref();

  return {
    /** Positive when the clock of the database is ahead; undefined while it cannot be read. */
    clockOffsetSeconds: () => (clockOffsetMs === undefined ? undefined : clockOffsetMs / 1_000),

    /** operator: the code of a known one, named by the request. */
    signatureRefused({ operator, address }: { operator: string | undefined; address: string | undefined }): void {
      const subject = operator === undefined ? 'unknown operators' : `operator ${operator}`;
      const timer = () => setTimeout(reportRefused, windowMs, subject).unref();
      const counted = refused.get(subject) ?? { count: 0, addresses: new Set(), timer: timer() };
      counted.count += 1;
      if (counted.addresses.size < MOST_ADDRESSES) counted.addresses.add(address ?? 'unknown');
      refused.set(subject, counted);
    },

    /** After each request to a wallet. */
    observeWalletRequest({ operator, result }: { operator: string; result: { kind: string } }): void {
      const isFailure = result.kind === 'uncertain' || result.kind === 'not_sent';
      const known = wallets.get(operator);
      if (known === undefined && !isFailure) return;
      const nowMs = Date.now();
      const wallet = known ?? { failures: 0, sinceMs: nowMs, isReported: false, quietUntilMs: 0 };
      wallets.set(operator, wallet);
      const { failures, sinceMs, isReported, quietUntilMs } = wallet;
      const subject = `operator ${operator}`;
      if (!isFailure) {
        const after = { failures, lengthMs: nowMs - sinceMs };
        if (isReported) record({ kind: 'wallet_outage_ended', subject, after });
        Object.assign(wallet, {
          failures: 0,
          isReported: false,
          ...(isReported && { quietUntilMs: nowMs + windowMs }),
        });
        return;
      }
      Object.assign(wallet, { failures: failures + 1, ...(failures === 0 && { sinceMs: nowMs }) });
      if (isReported || wallet.failures < FAILURES_OF_AN_OUTAGE || nowMs < quietUntilMs) return;
      wallet.isReported = true;
      record({ kind: 'wallet_outage_began', subject, after: { failures: wallet.failures } });
    },

    /** Of the writer: another server takes the writes, or none does. */
    databaseChanged({ host, why }: { host: string | undefined; why?: string | undefined }): void {
      if (host === undefined) lost ??= { sinceMs: Date.now(), why };
      else {
        const lengthMs = lost === undefined ? 0 : Date.now() - lost.sinceMs;
        if (node)
          record({
            kind: 'database_changed',
            subject: `database ${host}`,
            after: { node: node.name, lengthMs, why: lost?.why },
          });
        lost = undefined;
      }
    },

    /** The process responds from now on. */
    serving(): void {
      isServing = true;
      if (!node) return;
      const { version, settings } = node;
      record({ kind: 'node_started', subject: name, after: { version, nodeVersion: process.version, settings } });
    },

    /** Writes what there is to write. */
    stop(): Promise<void> {
      stopped ??= (async () => {
        clearInterval(clockTimer);
        for (const subject of refused.keys()) reportRefused(subject);
        const after = { version: node?.version, lengthMs: Date.now() - startedMs };
        if (node && isServing) record({ kind: 'node_stopped', subject: name, after });
        await drain();
      })();
      return stopped;
    },
  };
}

/**
 * Our clock at the middle of the round trip, subtracted from that of the database. Of three round
 * trips the shortest: the first one may have to connect.
 */
async function clockOffset(db: Database): Promise<number> {
  let best = { offsetMs: 0, tripMs: Number.POSITIVE_INFINITY };
  for (let trip = 0; trip < CLOCK_TRIPS; trip += 1) {
    const sentMs = Date.now();
    const theirs = await databaseClock(db);
    const tripMs = Date.now() - sentMs;
    if (tripMs < best.tripMs) best = { offsetMs: theirs.getTime() - sentMs - tripMs / 2, tripMs };
  }
  return Math.round(best.offsetMs);
}

const RETRY_MS = 1_000;
/** Of a database that is away for long. */
const MOST_WAITING = 1_000;

/** One event after the other; one that cannot be written is tried again. */
function createQueue({ db, log }: Pick<NodeEventsOptions, 'db' | 'log'>) {
  const waiting: SignificantEvent[] = [];
  const stopping = new AbortController();
  let isWriting = false;
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    isWriting = true;
    for (let event = waiting[0]; event !== undefined; event = waiting[0]) {
      try {
        await recordEvent(db, event);
        waiting.shift();
      } catch (error) {
        log.warn({ err: error, event }, 'a significant event could not be written');
        if (stopping.signal.aborted) break;
        await wait(RETRY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      }
    }
    isWriting = false;
  }
  return {
    record(event: SignificantEvent): void {
      if (waiting.length < MOST_WAITING) waiting.push(event);
      else log.error({ event }, 'a significant event is lost: too many wait for the database');
      if (!isWriting) writing = write();
    },
    async drain(): Promise<void> {
      stopping.abort();
      await writing;
    },
  };
}
