import type { Wallet } from './benchGame.ts';
import type { BooksResults } from './books.ts';
import type { LatencyCell, SteadySlice } from './latency.ts';
import type { OVERLOAD_LOADS, OverloadCell } from './overload.ts';
import type { SeamlessCell } from './seamless.ts';
import { bestOf, type GrowthCell, type RateCell, type Target } from './sections.ts';
import type { TimelineStep } from './timeline.ts';

/** Of the sections that were measured. */
export type Results = {
  rates: RateCell[];
  seamless?: SeamlessCell[];
  timeline?: TimelineStep[];
  latency?: LatencyCell[];
  steady?: SteadySlice[];
  overload?: OverloadCell[];
  books?: BooksResults;
  growth?: GrowthCell[];
};

/** What is measured against what it is to be. Without a target it is there to compare. */
type Ratio = { figure: string; measured: number; target: string };

/** Of the p50 that is compared. */
const FEW_PLAYERS = 16;

/** The figures of this run that compare two measurements with each other. */
export function ratiosOf(results: Results): Ratio[] {
  const { rates, seamless = [], latency = [], steady = [], overload = [], books, growth = [] } = results;
  const ratios: Ratio[] = [];
  const add = (figure: string, target: string, [dividend, divisor]: readonly (number | undefined)[]) => {
    if (dividend !== undefined && divisor) ratios.push({ figure, measured: dividend / divisor, target });
  };
  const best = (target: Target) => bestOf(rates, target)?.perSecond;
  add('plays/s ÷ pgbench, each at its best', '≥ 3', [best('roundhouse'), best('pgbench')]);
  add('plays/s ÷ naive server', '≥ 25', [best('roundhouse'), best('naive')]);
  add('plays/s ÷ Node without a database', '', [best('roundhouse'), best('memory')]);
  const own = rates.filter(({ target }) => target === 'roundhouse');
  for (const { connections, perSecond } of own.filter(({ workload }) => workload === 'authenticate')) {
    const play = own.find((cell) => cell.workload === 'play' && cell.connections === connections);
    add(`authenticate/s ÷ play/s at ${connections}`, '≥ 0.9', [perSecond, play?.perSecond]);
  }
  const bestOfWallet = (wallet: Wallet) => {
    const cells = seamless.filter((cell) => cell.wallet === wallet).map(({ perSecond }) => perSecond);
    return cells.length === 0 ? undefined : Math.max(...cells);
  };
  const p50Of = (wallet: Wallet) =>
    seamless.find((cell) => cell.wallet === wallet && cell.connections === FEW_PLAYERS)?.p50Ms;
  add('plays/s with the instant wallet ÷ house wallet', '≥ 0.45', [bestOfWallet('instant'), bestOfWallet('house')]);
  add('plays/s with the reference operator', '≥ 1,000', [bestOfWallet('reference'), 1]);
  add(`p50 with the instant wallet ÷ house wallet, ${FEW_PLAYERS} players`, '≤ 3', [p50Of('instant'), p50Of('house')]);
  for (const { arrivalsPerSecond, p99Ms } of latency.filter(({ target }) => target === 'roundhouse')) {
    const peer = latency.find((cell) => cell.target === 'pgbench' && cell.arrivalsPerSecond === arrivalsPerSecond);
    add(`p99 of ${Math.round(arrivalsPerSecond ?? 0)} plays/s that arrive ÷ pgbench --rate`, '≤ 1.5', [
      p99Ms,
      peer?.p99Ms,
    ]);
  }
  // After two minutes the server has grown to its size.
  const [first, warm] = steady;
  add('steady plays/s, last minute ÷ first', '≥ 0.95', [steady.at(-1)?.perSecond, first?.perSecond]);
  add('steady memory, at the end ÷ after two minutes', '< 1.05', [steady.at(-1)?.residentMB, warm?.residentMB]);
  const under = (load: keyof typeof OVERLOAD_LOADS) => overload.find((cell) => cell.load === load)?.perSecond;
  add('plays/s when five times the best rate arrives ÷ best rate', '≥ 0.8', [under('arrivals'), under('best')]);
  add('plays/s beside slow clients ÷ alone', '≥ 0.8', [under('besideSlow'), under('alone')]);
  add('load of books ÷ zstdcat into wc -l', '≥ 0.5', [books?.loadAgainstZstdcat, 1]);
  for (const workload of ['play', 'round'] as const) {
    const cells = growth.filter((cell) => cell.workload === workload);
    add(`${workload}s/s, large database ÷ small`, '≥ 0.9', [cells.at(-1)?.perSecond, cells[0]?.perSecond]);
  }
  return ratios;
}
