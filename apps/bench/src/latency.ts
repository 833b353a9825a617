import { type Medians, measureInTurn, type Probe } from './measureInTurn.ts';
import { anchorProbe, type Bench, probeOf } from './probes.ts';
import { LEDGER, ROUNDHOUSE } from './rates.ts';

/** With this number of connections one is always free. Each is used about ten times a second. */
export const MOST_CONNECTIONS = 256;
/** Samples last longer than elsewhere: the slowest percent of a short one is a few requests. */
export const SAMPLES_LONG = 5;

type LatencyFacts = { target: typeof ROUNDHOUSE | typeof LEDGER; arrivalsPerSecond: number };
export type LatencyCell = LatencyFacts & Medians;

/**
 * Measures plays that arrive at a fixed rate on average, whether or not the server keeps up. Beside
 * them it measures what the database and the disk need for the least of a play.
 */
export async function measureLatency(
  bench: Bench,
  { arrivalsPerSecond, clients }: { arrivalsPerSecond: number; clients: number },
): Promise<LatencyCell[]> {
  const { stage, roundhouse: server, seconds } = bench;
  const connections = Math.min(MOST_CONNECTIONS, stage.sessions.length);
  const job = { sessions: stage.sessions, workload: 'play', connections, arrivalsPerSecond } as const;
  const own = probeOf(bench, { server, ...job, name: `${Math.round(arrivalsPerSecond)}/s arrive` });
  const probes: Probe<LatencyFacts>[] = [{ ...own, facts: { target: ROUNDHOUSE, arrivalsPerSecond } }];
  if (bench.runAnchor !== undefined) {
    const peer = anchorProbe(bench, { anchor: 'ledger', name: `${LEDGER} --rate`, clients, arrivalsPerSecond });
    probes.push({ ...peer, facts: { target: LEDGER, arrivalsPerSecond } });
  }
  return measureInTurn(probes, { ...bench, seconds: seconds * SAMPLES_LONG });
}
