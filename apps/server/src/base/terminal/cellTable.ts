/** A row of a table by cell: its cells are in columns, or `why` replaces them. */
export type CellRow = { cell: string; values: readonly string[] } | { cell: string; why: string };

const GAP = '  ';

/** Returns a table with a head. Texts are left-aligned, numbers right-aligned. */
export function cellTable(head: readonly string[], rows: readonly CellRow[]): string {
  const lines = rows.map((row) => ('why' in row ? [row.cell] : [row.cell, ...row.values]));
  const all = [head, ...lines];
  const widths = head.map((_, at) => Math.max(...all.map((line) => line[at]?.length ?? 0)));
  const isNumber = head.map((_, at) => at > 0 && lines.every((line) => /^(-?[\d.,]+)?$/.test(line[at] ?? '')));
  const write = (line: readonly string[]) =>
    line
      .map((text, at) => (isNumber[at] ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0)))
      .join(GAP)
      .trimEnd();
  return [
    write(head),
    ...lines.map((line, at) => {
      const row = rows[at];
      return row !== undefined && 'why' in row
        ? `${line[0]?.padEnd(widths[0] ?? 0)}${GAP}${row.why.replace(/\n\s*/g, ' ')}`
        : write(line);
    }),
  ].join('\n');
}
