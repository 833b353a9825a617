import type { BooksFigures } from './measure.ts';

const MEGABYTE = 1e6;

export type BooksCheck = { name: string; value: string; target: string; ok: boolean };

/** What a table of two columns says of them, to be read in a terminal. */
export function booksText(figures: BooksFigures): string {
  const { books, runs, compressedBytes, eventBytes } = figures;
  const size = `${whole(eventBytes / books)} bytes each, packed ${(eventBytes / compressedBytes).toFixed(1)} to 1`;
  const rows = rowsOf(figures);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  const line = ([title, value]: [string, string]) =>
    `| ${title.padEnd(widths[0] as number)} | ${value.padStart(widths[1] as number)} |`;
  return [
    `A mode of ${whole(books)} books, ${size}; medians of ${runs}`,
    '',
    line(['', '']),
    `| ${'-'.repeat(widths[0] as number)} | ${'-'.repeat((widths[1] as number) - 1)}: |`,
    ...rows.map(line),
  ].join('\n');
}

function rowsOf(figures: BooksFigures): [string, string][] {
  const { loadSeconds, zstdcatSeconds, coldReadsPerSecond } = figures;
  const megabytesPerSecond = figures.eventBytes / loadSeconds / MEGABYTE;
  return [
    ['load', `${seconds(loadSeconds)}, ${whole(megabytesPerSecond)} MB/s`],
    ['processor time of a load', seconds(figures.loadCpuSeconds)],
    ['peak memory of a load', megabytes(figures.loadPeakBytes)],
    ['zstdcat | wc -l', zstdcatSeconds === undefined ? 'not installed' : seconds(zstdcatSeconds)],
    ['speed of a load beside it', zstdcatSeconds === undefined ? '' : times(zstdcatSeconds / loadSeconds)],
    ['reopening', seconds(figures.reopenSeconds)],
    ['peak memory after it', megabytes(figures.reopenPeakBytes)],
    ['draws/s', whole(figures.drawsPerSecond)],
    ['reads/s, warm', whole(figures.warmReadsPerSecond)],
    [
      'reads/s, cold',
      coldReadsPerSecond === undefined ? 'the page cache cannot be emptied' : whole(coldReadsPerSecond),
    ],
  ];
}

/** A target that cannot be judged here, because zstdcat is not installed, is left out. */
export function booksChecks(figures: BooksFigures): BooksCheck[] {
  const { loadSeconds, zstdcatSeconds, loadPeakBytes, reopenSeconds, drawsPerSecond } = figures;
  const checks: BooksCheck[] = [
    {
      name: 'peak memory of a load',
      value: megabytes(loadPeakBytes),
      target: 'under 300 MB',
      ok: loadPeakBytes < 300 * MEGABYTE,
    },
    { name: 'reopening', value: seconds(reopenSeconds), target: 'under 1 s', ok: reopenSeconds < 1 },
    {
      name: 'draws/s on a core',
      value: whole(drawsPerSecond),
      target: 'at least 2,000,000',
      ok: drawsPerSecond >= 2_000_000,
    },
  ];
  if (zstdcatSeconds === undefined) return checks;
  const speed = zstdcatSeconds / loadSeconds;
  return [
    { name: 'load beside zstdcat | wc -l', value: times(speed), target: 'at least 0.5 ×', ok: speed >= 0.5 },
    ...checks,
  ];
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}

function megabytes(bytes: number): string {
  return `${whole(bytes / MEGABYTE)} MB`;
}

function times(value: number): string {
  return `${value.toFixed(2)} ×`;
}
