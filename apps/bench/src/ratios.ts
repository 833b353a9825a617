import type { BooksResults } from './books.ts';
import type { ConsoleResults } from './console.ts';
import type { CostCell } from './costs.ts';
import { type DialectCell, OWN_PROTOCOL } from './dialects.ts';
import type { GrowthCell } from './growth.ts';
import type { LatencyCell } from './latency.ts';
import type { OverloadCell, OverloadLoad } from './overload.ts';
import { bestOf, LEDGER, NAIVE, type RateCell, ROUNDHOUSE, SIMPLE_UPDATE } from './rates.ts';
import type { SeamlessCell, Wallet } from './seamless.ts';

export type Results = {
  rates: RateCell[];
  seamless?: SeamlessCell[];
  dialects?: DialectCell[];
  costs?: CostCell[];
  latency?: LatencyCell[];
  console?: ConsoleResults;
  overload?: OverloadCell[];
  books?: BooksResults;
  growth?: GrowthCell[];
};

/** Compares a measurement with its target. Without a target it is there to compare. */
type Ratio = { figure: string; measured: number; target: string };

/** The number of players at which p50 is compared. */
const FEW_PLAYERS = 16;

/** Returns the numbers of this run that compare two measurements with each other. */
export function ratiosOf(results: Results): Ratio[] {
  const { rates, seamless = [], dialects = [], latency = [], overload = [], books, growth = [] } = results;
  const ratios: Ratio[] = [];
  const add = (figure: string, target: string, [dividend, divisor]: readonly (number | undefined)[]) => {
    if (dividend !== undefined && divisor) ratios.push({ figure, measured: dividend / divisor, target });
  };
  const plays = (target: RateCell['target']) => bestOf(rates, target)?.perSecond;
  const own = plays(ROUNDHOUSE);
  add('plays/s ÷ minimal ledger function, each at its best', '≥ 0.8', [own, plays(LEDGER)]);
  add('plays/s ÷ simple-update of pgbench, each at its best', '≥ 1.3', [own, plays(SIMPLE_UPDATE)]);
  add('plays/s ÷ naive server', '≥ 25', [own, plays(NAIVE)]);
  const served = rates.filter(({ target }) => target === ROUNDHOUSE);
  for (const { connections, perSecond } of served.filter(({ workload }) => workload === 'authenticate')) {
    const play = served.find((cell) => cell.workload === 'play' && cell.connections === connections);
    add(`authenticate/s ÷ play/s at ${connections}`, '≥ 0.9', [perSecond, play?.perSecond]);
  }
  const ofWallet = (wallet: Wallet) => seamless.filter((cell) => cell.wallet === wallet);
  const best = (wallet: Wallet) => Math.max(0, ...ofWallet(wallet).map(({ perSecond }) => perSecond)) || undefined;
  const p50 = (wallet: Wallet) => ofWallet(wallet).find(({ connections }) => connections === FEW_PLAYERS)?.p50Ms;
  add('plays/s with the instant wallet ÷ house wallet', '≥ 0.45', [best('instant wallet'), best('house wallet')]);
  add('plays/s with the reference operator', '≥ 1,000', [best('reference operator'), 1]);
  const p50s = [p50('instant wallet'), p50('house wallet')];
  add(`p50 with the instant wallet ÷ house wallet, ${FEW_PLAYERS} players`, '≤ 3', p50s);
  for (const { dialect, workload, connections, perSecond } of dialects.filter(
    (cell) => cell.dialect !== OWN_PROTOCOL,
  )) {
    const own = dialects.find(
      (cell) => cell.dialect === OWN_PROTOCOL && cell.workload === workload && cell.connections === connections,
    );
    add(`${workload}s/s of ${dialect} ÷ ${OWN_PROTOCOL}, ${connections} players`, '≥ 0.8', [perSecond, own?.perSecond]);
  }
  const [arrived, anchor] = [ROUNDHOUSE, LEDGER].map((name) => latency.find(({ target }) => target === name)?.p99Ms);
  add('p99 of plays that arrive ÷ minimal ledger function at the same rate', '', [arrived, anchor]);
  const [alone, besideUsers] = results.console?.plays ?? [];
  add('plays/s beside users of the console ÷ without them', '≥ 0.97', [besideUsers?.perSecond, alone?.perSecond]);
  add('p99 of plays beside users of the console ÷ without them', '≤ 1.03', [besideUsers?.p99Ms, alone?.p99Ms]);
  const under = (load: OverloadLoad) => overload.find((cell) => cell.load === load)?.perSecond;
  add('plays/s when five times the best rate arrives ÷ best rate', '≥ 0.8', [under('arrivals'), under('best')]);
  add('plays/s beside slow clients ÷ alone', '≥ 0.8', [under('besideSlow'), under('alone')]);
  add('load of books ÷ zstdcat into wc -l', '≥ 0.5', [books?.zstdcatSeconds, books?.loadSeconds]);
  for (const workload of ['play', 'round'] as const) {
    const cells = growth.filter((cell) => cell.workload === workload);
    add(`${workload}s/s, large database ÷ small`, '≥ 0.9', [cells.at(-1)?.perSecond, cells[0]?.perSecond]);
  }
  return ratios;
}
