/** A switch in front of an HTTP server that injects faults. For tests and local work only. */
export { type CheckedPlan, createFaultSwitch, type FaultSwitch, type FaultSwitchOptions } from './faultSwitch.ts';
