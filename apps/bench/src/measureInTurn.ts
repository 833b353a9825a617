import { type CpuClock, noClock } from './cpu.ts';
import type { LoadResult } from './load.ts';

/** The bench takes samples of a probe. */
export type Probe<Facts> = {
  /** They describe the probe in the results. */
  facts: Facts;
  /** It describes the probe in a line of progress. */
  title: string;
  /** One of the probes that share this warms up for all of them. */
  warmedWith: string;
  load(seconds: number): Promise<LoadResult & More>;
  serverClock: CpuClock;
  /** The clock of the operator's wallet, where there is one. */
  walletClock?: CpuClock | undefined;
  /** The clock of the console's process, where there is one. */
  consoleClock?: CpuClock;
  /** It is given where several PostgreSQL run. */
  postgresClock?: CpuClock;
  /** It is given where the load does not come from the generator of the bench. */
  generatorClock?: CpuClock;
};

/** One unit of work takes this processor time, by process; undefined without a /proc. */
type CpuMicros = Partial<
  Record<'generatorMicros' | 'serverMicros' | 'postgresMicros' | 'walletMicros' | 'consoleMicros', number | undefined>
>;
/**
 * `unsettled` counts wallet transactions without a result when the last response came.
 * `requestsPerSecond` are those of the console's users. `othersPercent` is the share of the cores
 * that other programs took, and `idlePercent` the one that nobody wanted. One unit of work adds
 * `walBytes` to the log of PostgreSQL, and `tableBytes` to tables and indexes.
 */
type More = {
  unsettled?: number;
  residentMB?: number;
  requestsPerSecond?: number;
  walBytes?: number;
  tableBytes?: number;
  othersPercent?: number;
  idlePercent?: number;
};
type Sample = Omit<LoadResult, 'units'> & More & CpuMicros;

/** Holds medians of the samples, and what the median of perSecond was taken of. */
export type Medians = Sample & { samples: number[] };

export type TurnOptions = {
  /** A sample takes this long. */
  seconds: number;
  /** Each median is of this many samples. */
  rounds: number;
  /** The warm-up precedes the samples. Default: a second, or one sample if that is shorter. */
  warmUpSeconds?: number;
  generatorClock: CpuClock;
  postgresClock: CpuClock;
  /** Resolves when no client works on the database any more. */
  untilQuiet(): Promise<void>;
  /** Prints a line of progress. */
  say(line: string): void;
};

const WARM_UP_SECONDS = 1;

/**
 * Measures every probe in turn, forwards and backwards: other work of the machine meets all of them
 * alike, and no probe always follows the same other one.
 */
export async function measureInTurn<Facts>(
  probes: readonly Probe<Facts>[],
  options: TurnOptions,
): Promise<(Facts & Medians)[]> {
  const { seconds, rounds, warmUpSeconds = Math.min(seconds, WARM_UP_SECONDS), untilQuiet, say } = options;
  // Node compiles hot code only after it has run for a while.
  const warming = new Map(probes.map((probe) => [probe.warmedWith, probe]));
  for (const { load } of warming.values()) await load(warmUpSeconds).then(untilQuiet);

  const samples = new Map(probes.map((probe) => [probe, [] as Sample[]]));
  let done = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const probe of round % 2 === 0 ? probes : probes.toReversed()) {
      const sample = await takeSample(probe, options);
      // The server sends closings in the background.
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
  { load, serverClock, walletClock = noClock, consoleClock = noClock, ...own }: Probe<Facts>,
  { seconds, ...ofAll }: TurnOptions,
): Promise<Sample> {
  const { generatorClock, postgresClock } = { ...ofAll, ...own };
  const clocks = [generatorClock, serverClock, postgresClock, walletClock, consoleClock];
  const readClocks = () => Promise.all(clocks.map((read) => read()));
  const before = await readClocks();
  const { units, ...result } = await load(seconds);
  const after = await readClocks();
  const [generatorMicros, serverMicros, postgresMicros, walletMicros, consoleMicros] = before.map((from, index) => {
    const to = after[index];
    return from === undefined || to === undefined || units === 0 ? undefined : ((to - from) * 1e6) / units;
  });
  return { ...result, generatorMicros, serverMicros, postgresMicros, walletMicros, consoleMicros };
}

function mediansOf(samples: readonly Sample[]): Medians {
  const metrics = Object.keys(samples[0] ?? {}) as (keyof Sample)[];
  const medians = metrics.map((metric) => [metric, median(samples.map((sample) => sample[metric]))]);
  return { ...Object.fromEntries(medians), samples: samples.map(({ perSecond }) => perSecond) };
}

/** Returns the middle value, or the mean of the two in the middle. Undefined ones do not count. */
export function median(values: readonly (number | undefined)[]): number | undefined {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
}
