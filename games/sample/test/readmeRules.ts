import { readFileSync } from 'node:fs';

/** The rules in the README, read as data, so that the tests compare books and README. */
export type ReadmeRules = {
  pays: Map<string, number>;
  lines: number[][];
  reels: Record<'basegame' | 'freegame', string[][]>;
};

const ROW_NAMES = ['top', 'middle', 'bottom'];

export function readmeRules(): ReadmeRules {
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const reels = tableBelow(page, 'reels | reel | symbols');
  return {
    pays: new Map(
      tableBelow(page, 'symbol | three on a line pay').map(([symbol = '', pay = '']) => [
        symbol,
        Number(pay.replace('.', '')) * 10,
      ]),
    ),
    lines: tableBelow(page, 'line | reel 1 | reel 2 | reel 3').map(([, ...rows]) =>
      rows.map((row) => ROW_NAMES.indexOf(row)),
    ),
    reels: { basegame: reelsOf(reels, 'basegame'), freegame: reelsOf(reels, 'freegame') },
  };
}

function reelsOf(table: string[][], name: string): string[][] {
  return table.filter(([reels]) => reels === name).map(([, , symbols = '']) => symbols.split(' '));
}

function tableBelow(page: string, heading: string): string[][] {
  const lines = page.split('\n').map(cellsOf);
  const start = lines.findIndex((cells) => cells.join(' | ') === heading);
  if (start < 0) throw new Error(`README.md has no table headed ${heading}`);
  const rows = lines.slice(start + 2);
  return rows.slice(
    0,
    rows.findIndex((cells) => cells.length === 0),
  );
}

function cellsOf(line: string): string[] {
  const cells = line.split('|').slice(1, -1);
  return cells.map((cell) => cell.trim());
}
