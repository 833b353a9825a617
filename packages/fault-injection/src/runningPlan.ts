import { createHash, randomBytes } from 'node:crypto';
import type { Fault, FaultPlan } from '@roundhouse/contract';

const UINT32_VALUES = 2 ** 32;

/** An active plan, which counts down. */
export type RunningPlan = {
  /** The plan with what is left of it. */
  left(): FaultPlan;
  /** The fault that affects a request to this path, counted down; undefined when none does. */
  take(path: string): Fault | undefined;
};

export function runPlan({ faults, seed }: FaultPlan): RunningPlan {
  const left = faults.map((fault) => ({ ...fault }));
  const nextPoint = seed === undefined ? randomPoint : seededPoints(seed);
  return {
    left: () => ({ faults: left.map((fault) => ({ ...fault })), ...(seed !== undefined && { seed }) }),
    take(path) {
      // Each request takes one point, affected or not, so that a share does not depend on the
      // other faults of the plan.
      const point = nextPoint();
      // The shares lie side by side between 0 and 1. With one draw for each, later faults would
      // happen less often than their share says.
      let shared = 0;
      for (const [place, fault] of left.entries()) {
        if (fault.path !== undefined && fault.path !== path) continue;
        if (fault.next !== undefined) {
          fault.next -= 1;
          if (fault.next === 0) left.splice(place, 1);
          return fault;
        }
        shared += fault.share ?? 0;
        if (point < shared) return fault;
      }
      return undefined;
    },
  };
}

/** A number from 0 to below 1. */
function randomPoint(): number {
  return randomBytes(4).readUInt32BE() / UINT32_VALUES;
}

/** Points that are the same for the same seed, on every machine and in every version. */
function seededPoints(seed: number): () => number {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${seed}/${count}`).digest().readUInt32BE() / UINT32_VALUES;
  };
}
