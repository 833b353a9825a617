/** Simulators of aggregators, and the rules by which a real endpoint of one is checked. */
export { AGGREGATORS, aggregatorOf } from './aggregators.ts';
export type { Aggregator, AnyDialectKit, DialectKit, LaunchRequest, World } from './kit/aggregator.ts';
export { fromMicros } from './kit/amounts.ts';
export { checkEndpoint, createEndpoint, type EndpointFacts } from './kit/check.ts';
export type { LobbyGame } from './kit/lobby/page.ts';
export { QUIRKS } from './kit/quirks.ts';
export { type SimulatorOptions, startSimulator } from './kit/simulator.ts';
export type { Simulator } from './kit/simulatorApi.ts';
