import { type Medians, measureInTurn, type Probe } from './measureInTurn.ts';
import { withDelays } from './metrics.ts';
import { COMMIT_SCRIPT, COMMIT_TABLE } from './pgbench.ts';
import { type Bench, pgbenchProbe, probeOf } from './sections.ts';

/** So many that one is free. Each is used about ten times a second. */
const MOST_CONNECTIONS = 256;
/** Times a sample of other sections: the slowest percent of a short one is a few requests. */
const SAMPLES_LONG = 5;

export const LATENCY_TARGETS = {
  roundhouse: 'Roundhouse over HTTP',
  pgbench: 'its SQL function, pgbench --rate',
  commit: 'a commit of one row, one after the other',
} as const;
type LatencyFacts = { target: keyof typeof LATENCY_TARGETS; arrivalsPerSecond: number | undefined };
export type LatencyCell = LatencyFacts & Medians;

type Rates = { arrivalsPerSecond: readonly number[]; pgbenchClients: number };

/**
 * Plays that arrive at fixed rates on average, whether or not the server keeps up, beside what the
 * database and the disk need for the same.
 */
export async function measureLatency(
  bench: Bench,
  { arrivalsPerSecond: rates, pgbenchClients: clients }: Rates,
): Promise<LatencyCell[]> {
  const { stage, seconds } = bench;
  const own = rates.map((arrivalsPerSecond): Probe<LatencyFacts> => {
    const probe = openLoopProbe(bench, arrivalsPerSecond);
    const load = (length: number) => withDelays(bench.roundhouse.url, () => probe.load(length));
    return { ...probe, load, facts: { target: 'roundhouse', arrivalsPerSecond } };
  });
  const peers: Probe<LatencyFacts>[] = [];
  if (bench.pgbench !== undefined) {
    await stage.db.$executeRawUnsafe(COMMIT_TABLE);
    for (const arrivalsPerSecond of rates) {
      const probe = pgbenchProbe(bench, { clients, arrivalsPerSecond, name: LATENCY_TARGETS.pgbench });
      peers.push({ ...probe, facts: { target: 'pgbench', arrivalsPerSecond } });
    }
    const commit = pgbenchProbe(bench, { clients: 1, script: COMMIT_SCRIPT, name: LATENCY_TARGETS.commit });
    peers.push({ ...commit, facts: { target: 'commit', arrivalsPerSecond: undefined } });
  }
  return measureInTurn([...own, ...peers], { ...bench, seconds: seconds * SAMPLES_LONG });
}

/** One slice of time, usually a minute. */
export type SteadySlice = { minute: number; perSecond: number; p50Ms: number; p99Ms: number; residentMB: number };

/** Plays that arrive at one rate for a long time. */
export async function measureSteady(bench: Bench, arrivalsPerSecond: number): Promise<SteadySlice[]> {
  const { options, roundhouse, say } = bench;
  const probe = openLoopProbe(bench, arrivalsPerSecond);
  const count = Math.max(2, Math.round(options.minutes));
  const slices: SteadySlice[] = [];
  while (slices.length < count && !bench.signal.aborted) {
    const { perSecond, p50Ms, p99Ms } = await probe.load((options.minutes * 60) / count);
    const residentMB = (await roundhouse.residentBytes()) / 1e6;
    slices.push({ minute: slices.length + 1, perSecond, p50Ms, p99Ms, residentMB });
    say(
      `${slices.length}/${count}  ${Math.round(perSecond)}/s, p99 ${p99Ms.toFixed(1)} ms, ${Math.round(residentMB)} MB`,
    );
  }
  return slices;
}

function openLoopProbe(bench: Bench, arrivalsPerSecond: number): Omit<Probe<never>, 'facts'> {
  const { roundhouse: server, stage } = bench;
  const connections = Math.min(MOST_CONNECTIONS, stage.sessions.length);
  const name = `${Math.round(arrivalsPerSecond)}/s arrive`;
  return probeOf(bench, { server, sessions: stage.sessions, workload: 'play', connections, arrivalsPerSecond, name });
}
