import type { Client } from '@roundhouse/sdk';
import { eventMark } from '@roundhouse/sdk/events';
import type { BookEvent, BookEventType } from '../../../rules/bookEvents.ts';
import type { Clock } from '../clock.ts';

/** Where a round that was left may go on: at the beginning, between two free spins, and at their end. */
const MARKED: ReadonlySet<BookEventType> = new Set(['freeSpinTrigger', 'updateFreeSpin', 'freeSpinEnd']);

/** A slow server delays the show by no more than this. Without a mark a resume goes on one spin earlier, which shows nothing wrong. */
const LONGEST_DELAY_MS = 700;

/** Tells the server how far a round has been shown. */
export type Recorder = {
  /** Resolves when it is recorded, or after a moment. Never rejects: a mark is a comfort, the round is safe without it. */
  record(index: number): Promise<void> | undefined;
  /** Resolves when nothing is under way any more. */
  settled(): Promise<void>;
};

export function createRecorder(client: Client, events: readonly BookEvent[], clock: Clock): Recorder {
  let underWay: Promise<void> | undefined;
  let next: number | undefined;

  // One call at a time, and only the newest mark waits: two calls at once could be recorded in the wrong order.
  async function sendAll(): Promise<void> {
    while (next !== undefined) {
      const index = next;
      next = undefined;
      await client.event(eventMark(index)).catch(() => {});
    }
    underWay = undefined;
  }

  return {
    record(index) {
      const event = events[index];
      if (!event || !MARKED.has(event.type)) return undefined;
      next = index;
      underWay ??= sendAll();
      return atMost(LONGEST_DELAY_MS, underWay, clock);
    },
    async settled() {
      next = undefined;
      await underWay;
    },
  };
}

function atMost(delayMs: number, done: Promise<void>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(delayMs, resolve);
    void done.then(() => {
      cancel();
      resolve();
    });
  });
}
