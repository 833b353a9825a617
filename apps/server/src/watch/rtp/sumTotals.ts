import type { ModeTotals } from '../../store/watch/gameTotals.ts';
import { sumOf } from './bounds.ts';
import { datesOfBoth, orderOf } from './cellVersions.ts';
import type { Table } from './returns.ts';

export type CellTotals = { cell: string; totals: readonly ModeTotals[] };

/** Cells have different lookup tables for a mode of a version. */
export type UnlikeTable = Pick<ModeTotals, 'gameID' | 'version' | 'mode'> & { cells: [string, string] };

export type SummedTotals = { totals: ModeTotals[]; unlike: UnlikeTable[] };

/**
 * Adds the totals of cells by game, version, mode and currency, exactly. Ids of rows differ between
 * cells, so names are the key. A sum over different lookup tables has none.
 */
export function sumTotals(cells: readonly CellTotals[]): SummedTotals {
  const groups = new Map<string, { cell: string; totals: ModeTotals }[]>();
  for (const { cell, totals } of cells) {
    for (const each of totals) {
      const key = JSON.stringify([each.gameID, each.version, each.mode, each.currency]);
      groups.set(key, [...(groups.get(key) ?? []), { cell, totals: each }]);
    }
  }
  const unlike = unlikeTables([...groups.values()].flat());
  const isUnlike = (totals: ModeTotals) => unlike.some((each) => modeOf(each) === modeOf(totals));
  const sums = [...groups.values()].map((group) => {
    const [first, ...more] = group.map(({ totals }) => totals);
    const sum = more.reduce(add, first as ModeTotals);
    return isUnlike(sum) ? { ...sum, table: undefined } : sum;
  });
  return { totals: sums.sort(orderOf(sums)), unlike };
}

const modeOf = ({ gameID, version, mode }: Pick<ModeTotals, 'gameID' | 'version' | 'mode'>) =>
  JSON.stringify([gameID, version, mode]);

function unlikeTables(all: readonly { cell: string; totals: ModeTotals }[]): UnlikeTable[] {
  const known = new Map<string, { cell: string; table: string }>();
  const unlike = new Map<string, UnlikeTable>();
  for (const { cell, totals } of all) {
    if (totals.table === undefined) continue;
    const { gameID, version, mode } = totals;
    const table = textOf(totals.table);
    const before = known.get(modeOf(totals)) ?? { cell, table };
    known.set(modeOf(totals), before);
    if (before.table === table || unlike.has(modeOf(totals))) continue;
    unlike.set(modeOf(totals), { gameID, version, mode, cells: [before.cell, cell] });
  }
  return [...unlike.values()];
}

function textOf({ cost, moments }: Exclude<Table, undefined>): string {
  return JSON.stringify([
    cost,
    ...Object.entries(moments)
      .sort()
      .map(([name, sum]) => `${name} ${sum}`),
  ]);
}

function add(a: ModeTotals, b: ModeTotals): ModeTotals {
  const { gameVersionID, gameID, version, mode, currency } = a;
  return {
    gameVersionID,
    gameID,
    version,
    mode,
    currency,
    ...sumOf(a, b),
    ...datesOfBoth(a, b),
    freeRounds: a.freeRounds + b.freeRounds,
    freeBets: a.freeBets + b.freeBets,
    freePayouts: a.freePayouts + b.freePayouts,
    voidRounds: a.voidRounds + b.voidRounds,
    voidBets: a.voidBets + b.voidBets,
    open: sumOf(a.open, b.open),
    table: a.table ?? b.table,
  };
}
