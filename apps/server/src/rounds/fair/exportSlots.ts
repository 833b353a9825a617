import { finished } from 'node:stream';
import { Overload } from '@roundhouse/service';
import type { Response } from 'express';

/**
 * The number of exports that a process writes at the same time: each takes processor time from the
 * players.
 */
const MOST_RUNNING = 4;
/** Time limit for an export, in milliseconds; after that another client gets the slot. */
const LONGEST_MS = 10 * 60_000;

/** `take` keeps a slot until the response is closed. */
export type ExportSlots = { take(sessionRowID: bigint, res: Response): void };

/** Limits the exports of this process: one of each session, and a few in all. */
export function createExportSlots({ mostRunning = MOST_RUNNING, longestMs = LONGEST_MS } = {}): ExportSlots {
  const running = new Set<bigint>();
  return {
    /** @throws Overload when there is no slot. */
    take(sessionRowID, res) {
      if (running.has(sessionRowID)) throw new Overload('exports', 'one of the session is running');
      if (running.size >= mostRunning) throw new Overload('exports', 'too many are running');
      running.add(sessionRowID);
      const timer = setTimeout(() => res.destroy(), longestMs);
      finished(res, () => {
        clearTimeout(timer);
        running.delete(sessionRowID);
      });
    },
  };
}
