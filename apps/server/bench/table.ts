import type { Latency } from './closedLoop.ts';
import type { Cell } from './summary.ts';
import { TARGETS } from './targets.ts';
import { WORKLOADS, type Workload } from './workload.ts';

const TITLES: Readonly<Record<Workload, string>> = {
  play: 'Play alone: the play is the whole round',
  round: 'Play, then end-round with a payout',
};

type Column = { title: string; value: (cell: Cell) => string };

const BEGINNING: Column[] = [
  { title: 'at once', value: (cell) => String(cell.connections) },
  { title: 'target', value: (cell) => TARGETS[cell.target] },
];
const PLAY: Column[] = [
  { title: 'plays/s', value: (cell) => wholeNumber(cell.roundsPerSecond) },
  { title: 'p50 ms', value: (cell) => milliseconds(cell.play, 'p50Ms') },
  { title: 'p99 ms', value: (cell) => milliseconds(cell.play, 'p99Ms') },
];
const END_ROUND: Column[] = [
  { title: 'end-rounds/s', value: (cell) => wholeNumber(cell.roundsPerSecond) },
  { title: 'p50 ms', value: (cell) => milliseconds(cell.endRound, 'p50Ms') },
  { title: 'p99 ms', value: (cell) => milliseconds(cell.endRound, 'p99Ms') },
];
const CPU: Column[] = [
  { title: 'generator µs', value: (cell) => wholeNumber(cell.cpu.generatorMicros) },
  { title: 'server µs', value: (cell) => wholeNumber(cell.cpu.serverMicros) },
  { title: 'PostgreSQL µs', value: (cell) => wholeNumber(cell.cpu.postgresMicros) },
];
const RATIO: Column[] = [
  {
    title: 'Roundhouse is',
    value: ({ target, roundhouseIs }) =>
      target === 'roundhouse' || roundhouseIs === undefined ? '' : `${roundhouseIs.toFixed(2)} ×`,
  },
];
const COLUMNS: Readonly<Record<Workload, Column[]>> = {
  play: [...BEGINNING, ...PLAY, ...RATIO, ...CPU],
  round: [...BEGINNING, ...PLAY, ...END_ROUND, ...RATIO, ...CPU],
};

/** Markdown, aligned to be read in a terminal as well. */
export function tablesOf(cells: readonly Cell[]): string {
  return WORKLOADS.map((workload) => {
    const rows = cells.filter((cell) => cell.workload === workload);
    return `${TITLES[workload]}\n\n${tableOf(COLUMNS[workload], rows)}\n`;
  }).join('\n');
}

function tableOf(columns: readonly Column[], cells: readonly Cell[]): string {
  const rows = cells.map((cell) => columns.map(({ value }) => value(cell)));
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const isText = (index: number) => columns[index]?.title === 'target';
  const line = (values: readonly string[]) => {
    const padded = values.map((value, index) =>
      isText(index) ? value.padEnd(widths[index] ?? 0) : value.padStart(widths[index] ?? 0),
    );
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, index) => (isText(index) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(columns.map(({ title }) => title)), line(rule), ...rows.map(line)].join('\n');
}

function wholeNumber(value: number | undefined): string {
  return value === undefined ? '' : Math.round(value).toLocaleString('en-US');
}

function milliseconds(latency: Latency | undefined, which: keyof Latency): string {
  return latency === undefined ? '' : latency[which].toFixed(latency[which] < 10 ? 2 : 1);
}
