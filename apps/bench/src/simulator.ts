import { aggregatorOf, type Simulator, startSimulator } from '@roundhouse/aggregators';
import { toMicros } from '@roundhouse/contract';
import { CURRENCY } from './benchGame.ts';
import { serveParent } from './child.ts';

/** The first job starts the simulator; the others launch players. */
export type SimulatorJob = { dialect: string; supplierUrl: string } | { launch: readonly string[] };
export type SimulatorResult = { url: string; settings: object; sessions: readonly string[] };

/** The balance, in micros, is enough for every bet of a long run. */
const OPENING = toMicros(1_000_000_000_000);
const LAUNCHED_AT_ONCE = 8;

let simulator: Simulator;

/** The simulator of an aggregator that checks no signatures of its wallet API. */
serveParent<SimulatorJob, SimulatorResult>(async (job) => {
  if ('dialect' in job) {
    const kit = aggregatorOf(job.dialect);
    if (kit === undefined) throw new Error(`there is no dialect ${job.dialect}`);
    const { supplierUrl } = job;
    simulator = await startSimulator({ aggregator: kit.aggregator, supplierUrl, isInstant: true, opening: OPENING });
  }
  const { url, settings } = simulator;
  const players = 'launch' in job ? [...job.launch] : [];
  const sessions: string[] = [];
  while (players.length > 0) sessions.push(...(await Promise.all(players.splice(0, LAUNCHED_AT_ONCE).map(launch))));
  return { url, settings, sessions };
});

/** Returns the sessionID. */
async function launch(player: string): Promise<string> {
  const url = await simulator.launch({ player, gameID: 'bench', currency: CURRENCY });
  return new URL(url).searchParams.get('sessionID') ?? '';
}
