import { cellTable } from '../../base/terminal/cellTable.ts';
import type { Judgement, Verdict } from './finding.ts';
import { EXIT_CODES, worstOf } from './judge.ts';
import { countOf, type Facts } from './readFacts.ts';
import { statusJson } from './statusJson.ts';

/** A look at one cell. */
export type CellLook = { cell: string; facts: Facts; judgement: Judgement; roundsPerSecond: number | undefined };

export function verdictOf(looks: readonly CellLook[]): Verdict {
  return worstOf(looks.map(({ judgement }) => judgement.verdict));
}

type TextOptions = {
  /** Shows how many rounds were opened in a second. */
  hasRate: boolean;
  paint?: (verdict: Verdict, text: string) => string;
  /** Says what to run about a finding of this cell. */
  commandOf: (cell: string, command: string) => string;
};

const CELL_FINDING_WIDTH = 10;

/** Writes a line for each cell, and the findings by cell, the worst of each first. */
export function cellsStatusText(looks: readonly CellLook[], options: TextOptions): string {
  const { hasRate, paint = (_verdict, text) => text, commandOf } = options;
  const rates = looks.map(({ roundsPerSecond }) => roundsPerSecond);
  const sum = rates.reduce((total, rate) => (total === undefined || rate === undefined ? undefined : total + rate), 0);
  const ready = (each: CellLook) => each.facts.nodes.filter(({ isReady }) => isReady).length;
  const valuesOf = (verdict: Verdict, rate: number | undefined, of: readonly CellLook[]) => [
    verdict,
    `${of.reduce((all, each) => all + ready(each), 0)} of ${of.reduce((all, { facts }) => all + facts.nodes.length, 0)}`,
    ...(hasRate ? [rate === undefined ? '' : rate.toFixed(1)] : []),
    of.some(isUnread) ? '' : `${of.reduce((all, each) => all + unsettledOf(each), 0)}`,
    `${of.reduce((all, { judgement }) => all + judgement.findings.length, 0)}`,
  ];
  const head = ['cell', 'verdict', 'nodes ready', ...(hasRate ? ['rounds/s'] : []), 'unsettled', 'findings'];
  const unread = looks.filter(isUnread).length;
  const name = unread === 0 ? 'all cells' : `${looks.length - unread} of ${looks.length} cells`;
  const table = cellTable(head, [
    ...looks.map((each) => ({
      cell: each.cell,
      values: valuesOf(each.judgement.verdict, each.roundsPerSecond, [each]),
    })),
    {
      cell: name,
      values: valuesOf(
        verdictOf(looks),
        sum,
        looks.filter((each) => !isUnread(each)),
      ),
    },
  ]);
  const width = Math.max(...looks.map(({ cell }) => cell.length)) + 2;
  const findings = looks.flatMap(({ cell, judgement }) =>
    judgement.findings.flatMap(({ severity, text, command }) => [
      `${cell.padEnd(width)}${paint(severity, severity)}${' '.repeat(CELL_FINDING_WIDTH - severity.length)}${plain(text)}`,
      `${' '.repeat(width + CELL_FINDING_WIDTH)}→ ${plain(commandOf(cell, command))}`,
    ]),
  );
  return findings.length === 0 ? table : `${table}\n\n${findings.join('\n')}`;
}

function isUnread({ facts }: CellLook): boolean {
  return 'issue' in facts.database || facts.database.stored === undefined;
}

function unsettledOf({ facts: { database } }: CellLook): number {
  const groups = 'issue' in database ? [] : (database.stored?.unsettled ?? []);
  return groups.reduce((sum, each) => sum + countOf(each), 0);
}

/** Other programs may have written a part of it: it must not move the cursor of a terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}

/** Returns the status of each cell as `roundhouse status --json` of one, and the worst verdict. */
export function cellsStatusJson(looks: readonly CellLook[]) {
  const verdict = verdictOf(looks);
  return {
    at: new Date().toISOString(),
    verdict,
    exitCode: EXIT_CODES[verdict],
    isWhole: !looks.some(isUnread),
    cells: looks.map(({ cell, facts, judgement, roundsPerSecond }) => ({
      cell,
      roundsPerSecond: roundsPerSecond ?? null,
      ...statusJson({ facts, judgement }),
    })),
  };
}
