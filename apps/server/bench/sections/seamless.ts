import { startOperator } from '../servers/operator.ts';
import { gather } from '../stage/crowd.ts';
import type { Bench } from './bench.ts';
import { type Figures, measureInTurn } from './measureInTurn.ts';

const CONNECTIONS = [1, 16, 64];

/** server: Roundhouse and the operator together. */
export type SeamlessCell = { connections: number } & Figures;

/** Plays whose money the reference operator keeps, a process of its own on the same machine and the same PostgreSQL. */
export async function measureSeamless(bench: Bench): Promise<SeamlessCell[]> {
  const { cleanUp, stage, roundhouse, http, connections = CONNECTIONS } = bench;
  const operator = await startOperator(cleanUp, stage, roundhouse.url);
  const players = [];
  for (let number = 1; number <= 2 * Math.max(...connections); number += 1) {
    players.push({ sessionID: await operator.launch(`player-${number}`), number: 0 });
  }
  const crowd = await gather(stage.folders.root, 'seamless', players);
  const bothServers = async () => {
    const times = await Promise.all([roundhouse.clock(), operator.clock()]);
    return times.reduce<number | undefined>(
      (sum, time) => (sum === undefined || time === undefined ? undefined : sum + time),
      0,
    );
  };
  const probes = connections.map((count) => ({
    facts: { connections: count },
    title: `${'play'.padEnd(12)} ${String(count).padStart(3)} at once, with the reference operator`,
    warmedWith: 'seamless',
    load: (length: number) =>
      http.load({ url: roundhouse.url, workload: 'play', crowd, connections: count, seconds: length }),
    clocks: { generator: http.clockFor('play'), server: bothServers },
  }));
  return measureInTurn(probes, bench);
}
