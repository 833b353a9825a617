import type { Latency } from './closedLoop.ts';
import type { CpuClock } from './cpu.ts';
import type { Stage } from './stage.ts';
import type { Target, TargetName } from './targets.ts';
import { WORKLOADS, type Workload } from './workload.ts';

/** Microseconds of processor time that a round takes, by who spends it. Undefined where the system does not tell. */
type CpuPerRound = {
  generatorMicros: number | undefined;
  serverMicros: number | undefined;
  postgresMicros: number | undefined;
};

export type Sample = {
  target: TargetName;
  workload: Workload;
  connections: number;
  roundsPerSecond: number;
  play: Latency;
  endRound: Latency | undefined;
  cpu: CpuPerRound;
};

export type MeasureOptions = {
  seconds: number;
  rounds: number;
  connections: readonly number[];
  postgresClock: CpuClock;
  onSample: (sample: Sample, progress: { done: number; of: number }) => void;
};

/**
 * Every target in turn, at each number of connections and with each workload, and all of that again and again: what else the
 * machine does at a moment meets all targets alike. The turn begins with another target each time.
 */
export async function measure(
  stage: Stage,
  targets: readonly Target[],
  { seconds, rounds, connections, postgresClock, onSample }: MeasureOptions,
): Promise<Sample[]> {
  await warmUp(stage, targets, Math.min(seconds, WARM_UP_SECONDS));
  const samples: Sample[] = [];
  const of = rounds * connections.length * WORKLOADS.length * targets.length;
  for (let round = 0; round < rounds; round += 1) {
    for (const count of connections) {
      for (const workload of WORKLOADS) {
        for (const target of rotated(targets, round)) {
          const sample = await takeSample(stage, target, { workload, connections: count, seconds, postgresClock });
          samples.push(sample);
          onSample(sample, { done: samples.length, of });
        }
      }
    }
  }
  return samples;
}

const WARM_UP_SECONDS = 1;
const WARM_UP_PLAYERS = 16;

/** Node compiles what is hot only after it has run for a while. */
async function warmUp(stage: Stage, targets: readonly Target[], seconds: number): Promise<void> {
  const players = stage.players.slice(0, WARM_UP_PLAYERS);
  for (const workload of WORKLOADS) {
    for (const { load, path } of targets) await load({ path, players, workload, seconds });
  }
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

type SampleOptions = { workload: Workload; connections: number; seconds: number; postgresClock: CpuClock };

async function takeSample(
  stage: Stage,
  { name, path, load, loadClock, serverClock }: Target,
  { workload, connections, seconds, postgresClock }: SampleOptions,
): Promise<Sample> {
  const clocks = [loadClock, serverClock ?? (async () => undefined), postgresClock];
  const before = await Promise.all(clocks.map((clock) => clock()));
  const { rounds, roundsPerSecond, play, endRound } = await load({
    path,
    players: stage.players.slice(0, connections),
    workload,
    seconds,
  });
  const after = await Promise.all(clocks.map((clock) => clock()));
  // The unmeasured first round of each connection was played within this time, too.
  const played = rounds + connections;
  const microsOf = (index: number) => {
    const [from, to] = [before[index], after[index]];
    return from === undefined || to === undefined ? undefined : ((to - from) * 1e6) / played;
  };
  const cpu = { generatorMicros: microsOf(0), serverMicros: microsOf(1), postgresMicros: microsOf(2) };
  return { target: name, workload, connections, roundsPerSecond, play, endRound, cpu };
}
