import type { Client } from '@roundhouse/sdk';
import { eventMark } from '@roundhouse/sdk/events';
import type { BookEvent, BookEventType } from '../../../rules.ts';
import type { Clock } from '../ports.ts';

/** A resumed round may continue here: at the start, between two free spins, and at their end. */
const MARKED: ReadonlySet<BookEventType> = new Set(['freeSpinTrigger', 'updateFreeSpin', 'freeSpinEnd']);

/**
 * A slow server delays the game by at most this. Without the mark a resume starts one spin earlier,
 * which is harmless.
 */
const LONGEST_DELAY_MS = 700;

/** Records at the server how far a round has been shown. */
export type Recorder = {
  /**
   * Resolves when the mark is recorded, or after a short time. Never rejects: the round is safe
   * without the mark.
   */
  record(index: number): Promise<void> | undefined;
  /** Resolves when no request is in flight. */
  settled(): Promise<void>;
};

export function createRecorder(client: Client, events: readonly BookEvent[], clock: Clock): Recorder {
  let underWay: Promise<void> | undefined;
  let next: number | undefined;

  // One request at a time, and only the newest mark waits: two requests at once could be recorded
  // in the wrong order.
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
