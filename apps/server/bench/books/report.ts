import type { Check } from '../report/check.ts';
import { tableOf, wholeNumber } from '../report/table.ts';
import type { BooksFigures } from './measure.ts';

const MEGABYTE = 1e6;
const LEAST_OF_ZSTDCAT = 0.5;
const MOST_MEGABYTES = 300;
const LONGEST_REOPENING_SECONDS = 1;
const LEAST_DRAWS = 2_000_000;

/** A table of two columns, to be read in a terminal. */
export function booksText(figures: BooksFigures): string {
  const { books, runs, compressedBytes, eventBytes } = figures;
  const size = `${wholeNumber(eventBytes / books)} bytes each, packed ${(eventBytes / compressedBytes).toFixed(1)} to 1`;
  const columns = [
    { title: '', value: ([title]: [string, string]) => title, isText: true },
    { title: '', value: ([, value]: [string, string]) => value },
  ];
  return `A mode of ${wholeNumber(books)} books, ${size}; medians of ${runs}\n\n${tableOf(columns, rowsOf(figures))}`;
}

function rowsOf(figures: BooksFigures): [string, string][] {
  const { loadSeconds, zstdcatSeconds, coldReadsPerSecond, eventBytes } = figures;
  return [
    ['load', `${seconds(loadSeconds)}, ${wholeNumber(eventBytes / loadSeconds / MEGABYTE)} MB/s`],
    ['processor time of a load', seconds(figures.loadCpuSeconds)],
    ['peak memory of a load', megabytes(figures.loadPeakBytes)],
    ['zstdcat into wc -l', zstdcatSeconds === undefined ? 'not installed' : seconds(zstdcatSeconds)],
    ['speed of a load beside it', zstdcatSeconds === undefined ? '' : `${(zstdcatSeconds / loadSeconds).toFixed(2)} ×`],
    ['reopening', seconds(figures.reopenSeconds)],
    ['peak memory after it', megabytes(figures.reopenPeakBytes)],
    ['draws/s', wholeNumber(figures.drawsPerSecond)],
    ['reads/s, warm', wholeNumber(figures.warmReadsPerSecond)],
    ['reads/s, cold', coldReadsPerSecond === undefined ? 'the page cache stays full' : wholeNumber(coldReadsPerSecond)],
  ];
}

/** A target that cannot be judged here, because zstdcat is not installed, is left out. */
export function booksChecks(figures: BooksFigures): Check[] {
  const { loadSeconds, zstdcatSeconds, loadPeakBytes, reopenSeconds, drawsPerSecond } = figures;
  const speed = zstdcatSeconds === undefined ? undefined : zstdcatSeconds / loadSeconds;
  const peak = loadPeakBytes / MEGABYTE;
  return [
    ...(speed === undefined
      ? []
      : [
          {
            name: 'speed of a load in that of zstdcat into wc -l',
            value: speed,
            target: '≥ 0.50',
            ok: speed >= LEAST_OF_ZSTDCAT,
          },
        ]),
    { name: 'peak memory of a load in MB', value: peak, target: `< ${MOST_MEGABYTES}`, ok: peak < MOST_MEGABYTES },
    {
      name: 'reopening in seconds',
      value: reopenSeconds,
      target: `< ${LONGEST_REOPENING_SECONDS}`,
      ok: reopenSeconds < LONGEST_REOPENING_SECONDS,
    },
    { name: 'draws/s on a core', value: drawsPerSecond, target: `≥ ${LEAST_DRAWS}`, ok: drawsPerSecond >= LEAST_DRAWS },
  ];
}

function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}

function megabytes(bytes: number): string {
  return `${wholeNumber(bytes / MEGABYTE)} MB`;
}
