import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../store/database/database.ts';
import { recordEvent, type SignificantEvent } from '../../store/watch/significantEvents.ts';

export type EventQueue = ReturnType<typeof createEventQueue>;

const RETRY_MS = 1_000;
/** A longer queue would fill the memory while the database is away. */
const MOST_WAITING = 1_000;

/** Writes one event after the other. It retries an event that it could not write. */
export function createEventQueue({ db, log }: { db: Database; log: Logger }) {
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
