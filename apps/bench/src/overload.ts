import { startChild } from './child.ts';
import type { LoadJob } from './load.ts';
import { type Medians, measureInTurn, type Probe } from './measureInTurn.ts';
import { type Bench, probeOf } from './probes.ts';
import type { RateCell } from './rates.ts';
import type { SlowJob } from './slow.ts';

/** The load, as a multiple of what the server can do. */
const TIMES = 5;
const PLAYING = 128;

/**
 * `best` sends as many plays as the server can do, `arrivals` TIMES as many. `alone` has PLAYING
 * players, and `besideSlow` the same beside slow clients.
 */
export type OverloadLoad = 'best' | 'arrivals' | 'alone' | 'besideSlow';
type OverloadFacts = { load: OverloadLoad; connections: number; arrivalsPerSecond: number | undefined };
export type OverloadCell = OverloadFacts & Medians;

type Job = Pick<LoadJob, 'connections' | 'arrivalsPerSecond' | 'countsRefusals' | 'givesUp'>;

/**
 * Measures plays when more arrive than the server can do, and beside clients that only keep it
 * busy. Fails when a play has a response and is not stored.
 */
export async function measureOverload(bench: Bench, best: RateCell): Promise<OverloadCell[]> {
  const { stage, options, roundhouse: server, cleanUp } = bench;
  const { sessions } = stage;
  const probeFor = (load: OverloadLoad, job: Job): Probe<OverloadFacts> => {
    const probe = probeOf(bench, { server, sessions, workload: 'play', name: load, ...job });
    const { connections, arrivalsPerSecond } = job;
    return {
      ...probe,
      facts: { load, connections, arrivalsPerSecond },
      async load(seconds) {
        const before = await stage.db.round.count();
        const result = await probe.load(seconds);
        const stored = (await stage.db.round.count()) - before;
        if (stored < result.units) throw new Error(`${result.units} plays have a response, ${stored} are stored`);
        return { ...result, residentMB: (await server.residentBytes()) / 1e6 };
      },
    };
  };
  const playing = { connections: Math.min(PLAYING, sessions.length) };
  const besideSlow = probeFor('besideSlow', playing);
  const slow = startChild<SlowJob, object>(cleanUp, 'slow');
  const crowd = { url: server.url, sessions };
  const each = Math.floor(options.sizes.crowd / 2);
  return measureInTurn(
    [
      probeFor('best', { connections: best.connections }),
      probeFor('arrivals', {
        connections: options.sizes.crowd,
        arrivalsPerSecond: TIMES * best.perSecond,
        countsRefusals: true,
        givesUp: true,
      }),
      probeFor('alone', playing),
      {
        ...besideSlow,
        async load(seconds) {
          await slow.run({ ...crowd, each });
          const result = await besideSlow.load(seconds);
          await slow.run(crowd);
          return result;
        },
      },
    ],
    bench,
  );
}
