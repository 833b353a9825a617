import { type Fleet, idOf } from '@roundhouse/fleet';
import type { WriterPool } from '@roundhouse/service';
import { findCell } from './cell.ts';

/** What a node knows about the cell that its database is, and about the other cells. */
export type OwnCell = { cellID: number; version: number; fleet: Fleet };

/** A node reads the table `cell`; a database without a row is in no fleet. */
export type FleetView = {
  /** Returns what was read last. Only the first call reads. */
  cell(): Promise<OwnCell | undefined>;
  /** Reads again, because the database has another version than this node. */
  reread(): Promise<OwnCell | undefined>;
  /**
   * A sender of requests has this version. When this node has another one, it reads again, at most
   * once a second: the sender may be the one that is behind.
   */
  heard(version: number): Promise<OwnCell | undefined>;
};

const HEARD_EVERY_MS = 1_000;

export function createFleetView(pool: Pick<WriterPool, 'query'>): FleetView {
  let last: Promise<OwnCell | undefined> | undefined;
  let heardMs = Number.NEGATIVE_INFINITY;

  const reread = (): Promise<OwnCell | undefined> => {
    const before = last;
    const reading: Promise<OwnCell | undefined> = readOwnCell(pool).catch((error: unknown) => {
      // The next call tries again.
      if (last === reading) last = before;
      throw error;
    });
    last = reading;
    return reading;
  };
  const cell = () => last ?? reread();

  return {
    cell,
    reread,
    async heard(version) {
      const known = await cell();
      if (known?.version === version) return known;
      if (performance.now() - heardMs < HEARD_EVERY_MS) return known;
      heardMs = performance.now();
      return reread();
    },
  };
}

async function readOwnCell(pool: Pick<WriterPool, 'query'>): Promise<OwnCell | undefined> {
  const stored = await findCell(pool);
  return stored && { cellID: idOf(stored), version: stored.fleetVersion, fleet: stored.fleet };
}
