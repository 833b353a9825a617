import type { Fault, FaultPlan } from '@roundhouse/contract';

/** The plan with one more fault, which comes after those that are there. The seed stays. */
export function withFault(plan: FaultPlan, fault: Fault): FaultPlan {
  return { ...plan, faults: [...plan.faults, fault] };
}

/**
 * The plan without the fault that stood at this place when it was shown. Meanwhile others may have run out and the place may hold
 * another: the first that is the same but for what is left of it goes. When there is none, it has run out by itself.
 */
export function withoutFault(plan: FaultPlan, { place, fault }: { place: number; fault: Fault }): FaultPlan {
  const here = plan.faults[place];
  const found = here && isSame(here, fault) ? place : plan.faults.findIndex((other) => isSame(other, fault));
  return found < 0 ? plan : { ...plan, faults: plan.faults.toSpliced(found, 1) };
}

function isSame(one: Fault, other: Fault): boolean {
  const { next: oneLeft, ...oneRest } = one;
  const { next: otherLeft, ...otherRest } = other;
  return (oneLeft === undefined) === (otherLeft === undefined) && sameFields(oneRest, otherRest);
}

function sameFields(one: object, other: object): boolean {
  const left = new Map(Object.entries(one));
  const right = Object.entries(other);
  return left.size === right.length && right.every(([name, value]) => left.get(name) === value);
}
