import type { Latency } from '../generators/closedLoop.ts';
import type { Figures } from '../sections/measureInTurn.ts';

export type Column<Row> = {
  title: string;
  value: (row: Row) => string;
  /** Words stand on the left, numbers on the right. */
  isText?: boolean;
};

/** Markdown, aligned to be read in a terminal as well. */
export function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const texts = rows.map((row) => columns.map(({ value }) => value(row)));
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...texts.map((row) => row[index]?.length ?? 0)),
  );
  const pad = (text: string, index: number) =>
    columns[index]?.isText ? text.padEnd(widths[index] ?? 0) : text.padStart(widths[index] ?? 0);
  const line = (values: readonly string[]) => `| ${values.map(pad).join(' | ')} |`;
  const rule = widths.map((width, index) => (columns[index]?.isText ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(columns.map(({ title }) => title)), line(rule), ...texts.map(line)].join('\n');
}

/** Rate, latency and processor time, the same in every table. */
export function figureColumns<Row extends Figures>(rate: string): Column<Row>[] {
  return [
    { title: rate, value: (row) => wholeNumber(row.perSecond) },
    ...latencyColumns<Row>((row) => row.latency),
    { title: 'generator µs', value: (row) => wholeNumber(row.cpu.generatorMicros) },
    { title: 'server µs', value: (row) => wholeNumber(row.cpu.serverMicros) },
    { title: 'PostgreSQL µs', value: (row) => wholeNumber(row.cpu.postgresMicros) },
  ];
}

export function latencyColumns<Row>(pick: (row: Row) => Latency | undefined, of = ''): Column<Row>[] {
  return [
    { title: `${of}p50 ms`, value: (row) => milliseconds(pick(row)?.p50Ms) },
    { title: `${of}p99 ms`, value: (row) => milliseconds(pick(row)?.p99Ms) },
  ];
}

export function wholeNumber(value: number | undefined): string {
  return value === undefined ? '' : Math.round(value).toLocaleString('en-US');
}

export function milliseconds(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(value < 10 ? 2 : 1);
}
