/** Fault switches for an HTTP server: what goes wrong on a wire, on demand. For tests and local work only. */
export { FAULT_KINDS, type Fault, type FaultKind, type FaultPlan, faultPlanSchema } from '@roundhouse/contract';
export type { CheckedPlan } from './checkPlan.ts';
export { createFaultSwitch, type FaultSwitch, type FaultSwitchOptions } from './faultSwitch.ts';
