import type { CleanUp } from '@roundhouse/service';
import type { RunAnchor } from './anchors.ts';
import { noClock } from './cpu.ts';
import type { LoadJob, LoadResult } from './load.ts';
import type { Probe, TurnOptions } from './measureInTurn.ts';
import type { Options } from './options.ts';
import type { GameServer } from './servers.ts';
import type { Stage } from './stage.ts';

/** Every section measures with these. */
export type Bench = TurnOptions & {
  cleanUp: CleanUp;
  signal: AbortSignal;
  options: Options;
  stage: Stage;
  roundhouse: GameServer;
  load(job: LoadJob): Promise<LoadResult>;
  /** It is undefined where pgbench is not installed. */
  runAnchor: RunAnchor | undefined;
};

type Unnamed = Omit<Probe<never>, 'facts'>;
type Probed = Omit<LoadJob, 'url' | 'seconds'> & { server: GameServer; name: string };

/** Returns a probe that loads a server over HTTP from the generator of the bench. */
export function probeOf({ load }: Bench, { server, name, ...job }: Probed): Unnamed {
  return {
    title: `${job.workload.padEnd(12)} ${String(job.connections).padStart(3)} at once, ${name}`,
    warmedWith: `${name} ${job.workload}`,
    load: (seconds) => load({ ...job, url: server.url, seconds }),
    serverClock: server.clock,
  };
}

type Anchored = { anchor: Parameters<RunAnchor>[0]; name: string; clients: number; arrivalsPerSecond?: number };

/** Returns a probe that loads the database alone, without a server. */
export function anchorProbe({ runAnchor }: Bench, { anchor, name, ...job }: Anchored): Unnamed {
  return {
    title: `play         ${String(job.clients).padStart(3)} at once, ${name}`,
    warmedWith: name,
    async load(seconds) {
      if (runAnchor === undefined) throw new Error('pgbench is not installed');
      return runAnchor(anchor, { ...job, seconds });
    },
    serverClock: noClock,
    generatorClock: noClock,
  };
}

/** A player has at most one connection. */
export function atOnceOf({ options, stage }: Bench, ownChoice: readonly number[]): readonly number[] {
  return options.connections ?? ownChoice.filter((connections) => connections <= stage.sessions.length);
}
