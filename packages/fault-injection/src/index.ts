/** A switch in front of an HTTP server injects faults. It is for tests and local work only. */
export { type CheckedPlan, createFaultSwitch, type FaultSwitch, type FaultSwitchOptions } from './faultSwitch.ts';
/** A client that insists until a result is certain. */
export { insist } from './insist.ts';
