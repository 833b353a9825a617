import type { Performance, PerformanceOutcome } from '../../store/staff/performance.ts';
import { compareTexts, datesOfBoth, orderOf } from '../../watch/rtp/cellVersions.ts';

type Read = Extract<PerformanceOutcome, { ok: true }>;

/** Cells say different theoretical RTPs of a mode of a version. */
export type UnlikeRtp = Pick<Performance, 'gameID' | 'gameVersion' | 'mode'> & { cells: [string, string] };

const SUMS = [
  ...(['rounds', 'bets', 'payouts', 'freeRounds', 'freeBets', 'freePayouts'] as const),
  ...(['voidRounds', 'voidBets', 'interruptedRounds', 'interruptedBets'] as const),
];

/**
 * Adds the reports of cells by operator, game, version, mode and currency, exactly. The sum is as
 * old as the oldest of them. Where the theoretical RTPs differ, the sum has none.
 */
export function sumPerformance(cells: readonly { cell: string; read: Read }[]): Read & { unlike: UnlikeRtp[] } {
  const rows = new Map<string, Performance>();
  const rtps = new Map<string, { cell: string; rtp: number }>();
  const unlike = new Map<string, UnlikeRtp>();
  for (const { cell, read } of cells) {
    for (const row of read.rows) {
      const { operatorCode, gameID, gameVersion, mode, currency, theoreticalRtp: rtp } = row;
      const key = JSON.stringify([operatorCode, gameID, gameVersion, mode, currency]);
      const before = rows.get(key);
      rows.set(key, before === undefined ? row : add(before, row));
      if (rtp === null) continue;
      const ofMode = JSON.stringify([gameID, gameVersion, mode]);
      const known = rtps.get(ofMode) ?? { cell, rtp };
      rtps.set(ofMode, known);
      if (known.rtp !== rtp && !unlike.has(ofMode))
        unlike.set(ofMode, { gameID, gameVersion, mode, cells: [known.cell, cell] });
    }
  }
  const isUnlike = ({ gameID, gameVersion, mode }: Performance) =>
    unlike.has(JSON.stringify([gameID, gameVersion, mode]));
  const sums = [...rows.values()].map((row) => (isUnlike(row) ? { ...row, theoreticalRtp: null } : row));
  const inOrder = orderOf(sums.map(versionOf));
  return {
    ok: true,
    generatedAt: new Date(Math.min(...cells.map(({ read }) => read.generatedAt.getTime()))),
    operatorCodes: [...new Set(cells.flatMap(({ read }) => read.operatorCodes))].sort(),
    rows: sums.sort((a, b) => compareTexts(a.operatorCode, b.operatorCode) || inOrder(versionOf(a), versionOf(b))),
    unlike: [...unlike.values()],
  };
}

function versionOf(row: Performance) {
  return { ...row, version: row.gameVersion };
}

function add(a: Performance, b: Performance): Performance {
  const sums = Object.fromEntries(SUMS.map((name) => [name, a[name] + b[name]])) as Pick<
    Performance,
    (typeof SUMS)[number]
  >;
  return {
    ...a,
    ...sums,
    ...datesOfBoth(a, b),
    theoreticalRtp: a.theoreticalRtp ?? b.theoreticalRtp,
  };
}
