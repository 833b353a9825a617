import { createHash, randomBytes } from 'node:crypto';
import type { Fault, FaultPlan } from '@roundhouse/contract';

const UINT32_VALUES = 2 ** 32;

/** An active plan, which counts down. */
export type RunningPlan = {
  /** Returns the plan with what is left of it. */
  left(): FaultPlan;
  /** Returns whether a fault of one player may affect a request to this path. */
  needsPlayer(path: string): boolean;
  /**
   * Returns the fault that affects a request of these players to this path, counted down; undefined
   * when none does.
   */
  take(path: string, playerIDs?: readonly string[]): Fault | undefined;
};

const MS_PER_SECOND = 1_000;

/** @param nowMs a clock that is never set back */
export function runPlan({ faults, seed }: FaultPlan, nowMs = () => performance.now()): RunningPlan {
  const startMs = nowMs();
  const all = faults.map((fault) => ({ fault: { ...fault }, endMs: endOf(fault, startMs) }));
  const active = () => all.filter(({ endMs }) => endMs > nowMs());
  const remove = (fault: Fault) => {
    all.splice(
      all.findIndex((each) => each.fault === fault),
      1,
    );
  };
  const nextPoint = seed === undefined ? randomPoint : seededPoints(seed);
  return {
    left() {
      const now = nowMs();
      const left = all.flatMap(({ fault, endMs }): Fault[] => {
        if (endMs <= now) return [];
        const { seconds } = fault;
        return [{ ...fault, ...(seconds !== undefined && { seconds: Math.ceil((endMs - now) / MS_PER_SECOND) }) }];
      });
      return { faults: left, ...(seed !== undefined && { seed }) };
    },
    needsPlayer: (path) => active().some(({ fault }) => fault.playerID !== undefined && isFor(fault, path)),
    take(path, playerIDs = []) {
      // Each request takes one point, affected or not, so that a share does not depend on the
      // other faults of the plan.
      const point = nextPoint();
      // The shares lie side by side between 0 and 1. With one draw for each, later faults would
      // happen less often than their share says.
      let shared = 0;
      for (const { fault } of active()) {
        if (!isFor(fault, path)) continue;
        if (fault.playerID !== undefined && !playerIDs.includes(fault.playerID)) continue;
        if (fault.next !== undefined) {
          fault.next -= 1;
          if (fault.next === 0) remove(fault);
          return fault;
        }
        shared += fault.share ?? 0;
        if (point < shared) return fault;
      }
      return undefined;
    },
  };
}

function isFor({ path }: Fault, requested: string): boolean {
  return path === undefined || path === requested;
}

function endOf({ seconds }: Fault, startMs: number): number {
  return seconds === undefined ? Number.POSITIVE_INFINITY : startMs + seconds * MS_PER_SECOND;
}

/** Returns a number from 0 to below 1. */
function randomPoint(): number {
  return randomBytes(4).readUInt32BE() / UINT32_VALUES;
}

/** Returns points that are the same for the same seed, on every machine and in every version. */
function seededPoints(seed: number): () => number {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${seed}/${count}`).digest().readUInt32BE() / UINT32_VALUES;
  };
}
