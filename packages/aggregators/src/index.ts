/** Simulators of aggregators, and the rules by which a real endpoint of one is checked. */
export { AGGREGATORS, aggregatorOf } from './aggregators.ts';
export { fromMicros } from './kit/amounts.ts';
export { checkEndpoint, createEndpoint } from './kit/check.ts';
export { startSimulator } from './kit/simulator.ts';
export type { Simulator } from './kit/simulatorApi.ts';
