import type { BooksFigures } from '../books/measure.ts';
import { booksChecks } from '../books/report.ts';
import type { GrowthCell } from '../sections/growth.ts';
import type { OpenLoopLatency } from '../sections/latency.ts';
import { bestOf, type RateCell, TARGETS } from '../sections/rates.ts';
import type { Check } from './check.ts';

const LEAST_OF_FLOOR = 1;
const LEAST_OF_NAIVE = 12;
const LONGEST_P99_MS = 15;
const LEAST_GROWN = 0.85;

/** Of what was measured, what there is a target for. */
export type Measured = {
  rates: readonly RateCell[];
  latency?: OpenLoopLatency;
  books?: BooksFigures;
  growth?: readonly GrowthCell[];
};

export function checksOf({ rates, latency, books, growth }: Measured): Check[] {
  return [
    ...rateChecks(rates),
    ...(latency ? [latencyCheck(latency)] : []),
    ...(books ? booksChecks(books) : []),
    ...(growth ? growthChecks(growth) : []),
  ];
}

function rateChecks(rates: readonly RateCell[]): Check[] {
  const own = bestOf(rates, { targets: ['roundhouse'] });
  const against = (rival: RateCell | undefined, least: number): Check[] => {
    if (own === undefined || rival === undefined) return [];
    const name = `plays/s, ${described(own)}, are so many times those of ${described(rival)}`;
    return [atLeast(name, own.perSecond / rival.perSecond, least)];
  };
  return [
    ...against(bestOf(rates, { targets: ['pgbench', 'statements'] }), LEAST_OF_FLOOR),
    ...against(bestOf(rates, { targets: ['naive'] }), LEAST_OF_NAIVE),
  ];
}

function described({ target, connections }: RateCell): string {
  return `${TARGETS[target]} (${connections} at once)`;
}

function latencyCheck({ ratePerSecond, p99Ms }: OpenLoopLatency): Check {
  const name = `p99 in ms of plays that arrive at half of the top rate (${Math.round(ratePerSecond)}/s)`;
  return { name, value: p99Ms, target: `< ${LONGEST_P99_MS}`, ok: p99Ms < LONGEST_P99_MS };
}

/** Against the smallest database, measured in the same turn. */
function growthChecks(growth: readonly GrowthCell[]): Check[] {
  const bySize = growth.toSorted((a, b) => a.pastRounds - b.pastRounds || a.players - b.players);
  const [smallest, ...larger] = bySize;
  if (smallest === undefined) return [];
  return larger.map(({ players, pastRounds, perSecond }) => {
    const name = `plays/s with ${grouped(players)} players and ${grouped(pastRounds)} past rounds are so many times those of the smallest database`;
    return atLeast(name, perSecond / smallest.perSecond, LEAST_GROWN);
  });
}

function atLeast(name: string, value: number, least: number): Check {
  return { name, value, target: `≥ ${least.toFixed(2)}`, ok: value >= least };
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}
