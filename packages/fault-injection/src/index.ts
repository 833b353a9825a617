/** A switch in front of an HTTP server injects faults. It is for tests and local work only. */
export { type CheckedPlan, createFaultSwitch, type FaultSwitch, type FaultSwitchOptions } from './faultSwitch.ts';
