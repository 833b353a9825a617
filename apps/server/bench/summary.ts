import type { Latency } from './closedLoop.ts';
import type { Sample } from './measure.ts';
import type { TargetName } from './targets.ts';

/** The medians of the samples of one target, workload and number of connections. */
export type Cell = Sample & {
  /** What the median was taken of. */
  samples: { roundsPerSecond: number[] };
  /** Rounds per second of Roundhouse over HTTP, as a multiple of this target's. Undefined when it was not measured. */
  roundhouseIs: number | undefined;
};

export function summarise(samples: readonly Sample[]): Cell[] {
  const groups = new Map<string, [Sample, ...Sample[]]>();
  for (const sample of samples) {
    const key = keyOf(sample);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [sample]);
    else group.push(sample);
  }
  const medians = new Map([...groups].map(([key, group]) => [key, medianOf(group)]));
  return [...groups].map(([key, group]) => {
    const cell = medians.get(key) ?? group[0];
    const own = medians.get(keyOf({ ...cell, target: 'roundhouse' }));
    return {
      ...cell,
      samples: { roundsPerSecond: group.map(({ roundsPerSecond }) => roundsPerSecond) },
      roundhouseIs: own && own.roundsPerSecond / cell.roundsPerSecond,
    };
  });
}

function keyOf({ target, workload, connections }: { target: TargetName; workload: string; connections: number }) {
  return `${workload} ${connections} ${target}`;
}

function medianOf(group: readonly [Sample, ...Sample[]]): Sample {
  const [first] = group;
  const latencies = (pick: (sample: Sample) => Latency | undefined): Latency | undefined => {
    const p50Ms = median(group.map((sample) => pick(sample)?.p50Ms));
    const p99Ms = median(group.map((sample) => pick(sample)?.p99Ms));
    return p50Ms === undefined || p99Ms === undefined ? undefined : { p50Ms, p99Ms };
  };
  return {
    ...first,
    roundsPerSecond: median(group.map((sample) => sample.roundsPerSecond)) ?? first.roundsPerSecond,
    play: latencies((sample) => sample.play) ?? first.play,
    endRound: latencies((sample) => sample.endRound),
    cpu: {
      generatorMicros: median(group.map(({ cpu }) => cpu.generatorMicros)),
      serverMicros: median(group.map(({ cpu }) => cpu.serverMicros)),
      postgresMicros: median(group.map(({ cpu }) => cpu.postgresMicros)),
    },
  };
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly (number | undefined)[]): number | undefined {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
}
