import type { Bench } from './bench.ts';
import type { CpuClock } from './cpu.ts';
import type { Latency, LoadResult } from './load/closedLoop.ts';

/** Something to take samples of. */
export type Probe<Facts> = {
  /** What it is, as it stands in the results. */
  facts: Facts;
  /** The same for a line of progress. */
  title: string;
  /** One of the probes that share this warms up for all of them. */
  warmedWith: string;
  load(seconds: number): Promise<LoadResult>;
  clocks: { generator: CpuClock; server: CpuClock | undefined };
};

/** Medians of the samples. */
export type Medians = {
  perSecond: number;
  latency: Latency | undefined;
  endRound: Latency | undefined;
  /**
   * Processor time of one unit of work, by who spends it. Undefined where the system does not tell.
   */
  cpu: { generatorMicros: number | undefined; serverMicros: number | undefined; postgresMicros: number | undefined };
  /** What the median of perSecond was taken of. */
  samples: number[];
};

type Sample = Omit<Medians, 'samples'>;

type TurnOptions = Pick<Bench, 'seconds' | 'rounds' | 'postgresClock' | 'untilQuiet' | 'say'>;

const WARM_UP_SECONDS = 1;

/**
 * Every probe in turn, and all of that again, there and back: what else the machine does meets all
 * of them alike, and none always comes after a certain other.
 */
export async function measureInTurn<Facts>(
  probes: readonly Probe<Facts>[],
  { seconds, rounds, postgresClock, untilQuiet, say }: TurnOptions,
): Promise<(Facts & Medians)[]> {
  // Node compiles what is hot only after it has run for a while.
  const warming = new Map(probes.map((probe) => [probe.warmedWith, probe]));
  for (const { load } of warming.values()) {
    await load(Math.min(seconds, WARM_UP_SECONDS));
    // wrk drops the requests that are in flight at its end, and credits of 0 go out in the
    // background.
    await untilQuiet();
  }

  const samples = new Map(probes.map((probe) => [probe, [] as Sample[]]));
  let done = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const probe of round % 2 === 0 ? probes : probes.toReversed()) {
      const sample = await takeSample(probe, { seconds, postgresClock });
      await untilQuiet();
      samples.get(probe)?.push(sample);
      done += 1;
      const progress = `${String(done).padStart(4)}/${rounds * probes.length}`;
      say(`${progress}  ${probe.title.padEnd(62)} ${Math.round(sample.perSecond)}/s`);
    }
  }
  return probes.map((probe) => ({ ...probe.facts, ...mediansOf(samples.get(probe) ?? []) }));
}

async function takeSample<Facts>(
  { load, clocks }: Probe<Facts>,
  { seconds, postgresClock }: Pick<TurnOptions, 'seconds' | 'postgresClock'>,
): Promise<Sample> {
  const all = [clocks.generator, clocks.server ?? (async () => undefined), postgresClock];
  const before = await Promise.all(all.map((clock) => clock()));
  const { units, ...result } = await load(seconds);
  const after = await Promise.all(all.map((clock) => clock()));
  const [generatorMicros, serverMicros, postgresMicros] = before.map((from, index) => {
    const to = after[index];
    return from === undefined || to === undefined || units === 0 ? undefined : ((to - from) * 1e6) / units;
  });
  return { ...result, cpu: { generatorMicros, serverMicros, postgresMicros } };
}

function mediansOf(samples: readonly Sample[]): Medians {
  const of = (pick: (sample: Sample) => number | undefined) => median(samples.map(pick));
  const latencyOf = (pick: (sample: Sample) => Latency | undefined): Latency | undefined => {
    const [p50Ms, p99Ms] = [of((sample) => pick(sample)?.p50Ms), of((sample) => pick(sample)?.p99Ms)];
    return p50Ms === undefined || p99Ms === undefined ? undefined : { p50Ms, p99Ms };
  };
  return {
    perSecond: of(({ perSecond }) => perSecond) ?? 0,
    latency: latencyOf(({ latency }) => latency),
    endRound: latencyOf(({ endRound }) => endRound),
    cpu: {
      generatorMicros: of(({ cpu }) => cpu.generatorMicros),
      serverMicros: of(({ cpu }) => cpu.serverMicros),
      postgresMicros: of(({ cpu }) => cpu.postgresMicros),
    },
    samples: samples.map(({ perSecond }) => perSecond),
  };
}

/** The middle value, or the mean of the two in the middle. Undefined ones do not count. */
export function median(values: readonly (number | undefined)[]): number | undefined {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
}
