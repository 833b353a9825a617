import { rmSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { CleanUp } from '@roundhouse/service';
import { startChild } from '../child.ts';
import type { BooksJob, BooksTasks, Opened, Used } from '../processes/books.ts';
import { median } from '../sections/median.ts';
import { BOOKS_NAME } from './publish.ts';
import { zstdcatSeconds } from './zstdcat.ts';

/** Medians of the runs; peaks are the largest of them. What could not be measured here is undefined. */
export type BooksFigures = {
  books: number;
  runs: number;
  /** Of the whole book file. */
  compressedBytes: number;
  /** Of all books' events, unpacked: what a store keeps. */
  eventBytes: number;
  loadSeconds: number;
  loadCpuSeconds: number;
  loadPeakBytes: number;
  zstdcatSeconds: number | undefined;
  reopenSeconds: number;
  reopenPeakBytes: number;
  drawsPerSecond: number;
  warmReadsPerSecond: number;
  coldReadsPerSecond: number | undefined;
};

export type BooksOptions = {
  /** About 4 KB each; the disk needs room for all of them once. */
  books: number;
  /** Loads into an empty store, and calls of `zstdcat | wc -l`, in turn. */
  runs: number;
};

const USE_SECONDS = 2;

/** Publishes a mode, loads it again and again, and reopens and uses each store. Leaves nothing behind. */
export async function measureBooks(cleanUp: CleanUp, { books, runs }: BooksOptions): Promise<BooksFigures> {
  const top = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-bench-books-'));
  // Also when the process ends without clean-up.
  const remove = () => rmSync(top, { recursive: true, force: true });
  process.once('exit', remove);
  const folder = path.join(top, 'math');
  await inProcess(cleanUp, 'publish', { folder, books });
  const file = path.join(folder, BOOKS_NAME);
  const compressedBytes = (await stat(file)).size;
  const samples: Sample[] = [];
  for (let round = 0; round < runs; round += 1) {
    const storeFolder = path.join(top, `store-${round}`);
    const zstdcat = await zstdcatSeconds(cleanUp, { file, lines: books });
    const loaded = await inProcess(cleanUp, 'load', { folder, storeFolder });
    const used = await inProcess(cleanUp, 'use', { folder, storeFolder, seconds: USE_SECONDS });
    samples.push({ zstdcat, loaded, used });
    await rm(storeFolder, { recursive: true });
  }
  remove();
  process.off('exit', remove);
  return { books, runs, compressedBytes, ...summary(samples) };
}

type Sample = { zstdcat: number | undefined; loaded: Opened; used: Used };

/** Runs one task in a fresh process. */
async function inProcess<Task extends keyof BooksTasks>(
  cleanUp: CleanUp,
  task: Task,
  job: BooksTasks[Task]['job'],
): Promise<BooksTasks[Task]['result']> {
  const child = startChild<BooksJob, BooksTasks[Task]['result']>({ name: 'books' });
  cleanUp.add(child.stop);
  const result = await child.run({ task, ...job } as BooksJob);
  await child.stop();
  return result;
}

function summary(samples: readonly Sample[]): Omit<BooksFigures, 'books' | 'runs' | 'compressedBytes'> {
  const mid = (pick: (sample: Sample) => number) => median(samples.map(pick)) as number;
  const most = (pick: (sample: Sample) => number) => Math.max(...samples.map(pick));
  return {
    eventBytes: mid(({ used }) => used.eventBytes),
    loadSeconds: mid(({ loaded }) => loaded.seconds),
    loadCpuSeconds: mid(({ loaded }) => loaded.cpuSeconds),
    loadPeakBytes: most(({ loaded }) => loaded.peakBytes),
    zstdcatSeconds: median(samples.map(({ zstdcat }) => zstdcat)),
    reopenSeconds: mid(({ used }) => used.opened.seconds),
    reopenPeakBytes: most(({ used }) => used.opened.peakBytes),
    drawsPerSecond: mid(({ used }) => used.drawsPerSecond),
    warmReadsPerSecond: mid(({ used }) => used.warmReadsPerSecond),
    coldReadsPerSecond: median(samples.map(({ used }) => used.coldReadsPerSecond)),
  };
}
