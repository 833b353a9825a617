import type { Anchor } from './anchors.ts';
import { WORKLOADS, type Workload } from './benchGame.ts';
import { addFairSessions } from './fairSessions.ts';
import { type Medians, measureInTurn, type Probe } from './measureInTurn.ts';
import type { Section } from './options.ts';
import { anchorProbe, atOnceOf, type Bench, probeOf } from './probes.ts';
import { startNaive } from './servers.ts';

export const ROUNDHOUSE = 'Roundhouse over HTTP';
export const NAIVE = 'naive server over HTTP';
export const LEDGER = 'minimal ledger function, pgbench';
export const SIMPLE_UPDATE = 'simple-update, pgbench';
type Target = typeof ROUNDHOUSE | typeof NAIVE | typeof LEDGER | typeof SIMPLE_UPDATE;

/** What a section measures, and the numbers of players at once. Each player has one connection. */
type Measured = { section: Section; target: Target; workloads: readonly Workload[]; at: readonly number[] };
const OVER_HTTP: readonly Measured[] = [
  { section: 'http', target: ROUNDHOUSE, workloads: WORKLOADS, at: [1, 32, 128, 512] },
  { section: 'naive', target: NAIVE, workloads: ['play'], at: [1, 32, 128] },
];
/** Their best number is among these. PostgreSQL accepts 100 connections. */
const CLIENTS = [1, 4, 8, 16, 32, 64];
const ANCHORS: readonly { anchor: Anchor; target: Target }[] = [
  { anchor: 'ledger', target: LEDGER },
  { anchor: 'simpleUpdate', target: SIMPLE_UPDATE },
];

type RateFacts = { target: Target; workload: Workload; connections: number };
export type RateCell = RateFacts & Medians;

/** Measures plays per second, and other requests, of Roundhouse and its peers, all in one turn. */
export async function measureRates(
  bench: Bench,
  { sections, workloads }: { sections: ReadonlySet<Section>; workloads: readonly Workload[] },
): Promise<RateCell[]> {
  const { cleanUp, stage, roundhouse, options } = bench;
  const fairSessions = workloads.includes('fairPlay') ? await addFairSessions(stage) : [];
  const probes: Probe<RateFacts>[] = [];
  for (const { target, ...measured } of OVER_HTTP.filter(({ section }) => sections.has(section))) {
    const server = target === ROUNDHOUSE ? roundhouse : await startNaive(cleanUp, stage.url);
    for (const workload of workloads.filter((each) => measured.workloads.includes(each))) {
      const sessions = workload === 'fairPlay' ? fairSessions : stage.sessions;
      for (const connections of atOnceOf(bench, measured.at)) {
        const probe = probeOf(bench, { server, sessions, workload, connections, name: target });
        probes.push({ ...probe, facts: { target, workload, connections } });
      }
    }
  }
  if (sections.has('anchors') && bench.runAnchor !== undefined) {
    const clients = options.connections?.map((each) => Math.min(each, ...CLIENTS.slice(-1))) ?? CLIENTS;
    for (const connections of new Set(clients)) {
      for (const { anchor, target } of ANCHORS) {
        const probe = anchorProbe(bench, { anchor, clients: connections, name: target });
        probes.push({ ...probe, facts: { target, workload: 'play', connections } });
      }
    }
  }
  // Probes that are compared come side by side.
  const order = ({ facts }: Probe<RateFacts>) => WORKLOADS.indexOf(facts.workload) * 1e6 + facts.connections;
  probes.sort((a, b) => order(a) - order(b));
  return measureInTurn<RateFacts>(probes, bench);
}

/** Returns the cell with the best rate of plays. */
export function bestOf(cells: readonly RateCell[], target: Target): RateCell | undefined {
  const plays = cells.filter((cell) => cell.target === target && cell.workload === 'play');
  return plays.sort((a, b) => b.perSecond - a.perSecond)[0];
}
