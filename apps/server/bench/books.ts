import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { CleanUp } from '@roundhouse/service';
import type { BooksJob, BooksResult } from './booksProcess.ts';
import { startChild } from './child.ts';
import { median } from './measureInTurn.ts';

/** Medians of the runs; peaks are the largest of them. */
export type BooksResults = {
  books: number;
  runs: number;
  /** Of all books' events: what a store keeps. */
  eventBytes: number;
  loadSeconds: number;
  loadCpuSeconds: number;
  loadPeakBytes: number;
  /** Undefined where it is not installed. */
  zstdcatSeconds: number | undefined;
  reopenSeconds: number;
  reopenPeakBytes: number;
  drawsPerSecond: number;
  readsPerSecond: number;
};

export type BooksOptions = {
  /** About 4 KB each; the disk needs room for all of them once. */
  books: number;
  /** Loads into an empty store, and calls of `zstdcat | wc -l`, in turn. */
  runs: number;
  /** Length of a sample of draws and of reads. */
  seconds: number;
};

/** Publishes a mode, loads it again and again, and reopens and uses each store. */
export async function measureBooks(cleanUp: CleanUp, { books, runs, seconds }: BooksOptions): Promise<BooksResults> {
  const top = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-bench-books-'));
  // Also when the process ends without clean-up.
  const remove = () => rmSync(top, { recursive: true, force: true });
  process.once('exit', remove);
  const folder = path.join(top, 'math');
  await inProcess(cleanUp, { task: 'publish', folder, books });
  const zstdcat: (number | undefined)[] = [];
  const loads: BooksResult[] = [];
  const uses: BooksResult[] = [];
  for (let run = 0; run < runs; run += 1) {
    const storeFolder = path.join(top, `store-${run}`);
    zstdcat.push(await zstdcatSeconds(cleanUp, { file: path.join(folder, 'books_BASE.jsonl.zst'), lines: books }));
    loads.push(await inProcess(cleanUp, { task: 'load', folder, storeFolder }));
    uses.push(await inProcess(cleanUp, { task: 'use', folder, storeFolder, seconds }));
    await rm(storeFolder, { recursive: true });
  }
  remove();
  process.off('exit', remove);
  const mid = (results: BooksResult[], name: keyof BooksResult) => median(results.map((result) => result[name])) ?? 0;
  const peak = (results: BooksResult[]) => Math.max(...results.map(({ peakBytes }) => peakBytes));
  return {
    books,
    runs,
    eventBytes: mid(uses, 'eventBytes'),
    loadSeconds: mid(loads, 'seconds'),
    loadCpuSeconds: mid(loads, 'cpuSeconds'),
    loadPeakBytes: peak(loads),
    zstdcatSeconds: median(zstdcat),
    reopenSeconds: mid(uses, 'seconds'),
    reopenPeakBytes: peak(uses),
    drawsPerSecond: mid(uses, 'drawsPerSecond'),
    readsPerSecond: mid(uses, 'readsPerSecond'),
  };
}

/** Runs one task in a fresh process, so that its memory and its processor time are its own. */
async function inProcess(cleanUp: CleanUp, job: BooksJob): Promise<BooksResult> {
  const child = startChild<BooksJob, BooksResult>('booksProcess');
  cleanUp.add(child.stop);
  const result = await child.run(job);
  await child.stop();
  return result;
}

/** Seconds that `zstdcat file | wc -l` takes. */
async function zstdcatSeconds(
  cleanUp: CleanUp,
  { file, lines }: { file: string; lines: number },
): Promise<number | undefined> {
  if (spawnSync('zstdcat', ['--version']).error !== undefined) return undefined;
  const startedMs = performance.now();
  // In the session of the bench, as the load is: Linux gives each session its share of the
  // processor.
  const shell = spawn('sh', ['-c', 'zstdcat "$1" | wc -l', 'sh', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const counted = text(shell.stdout);
  // The output ends with the last of the pipe: then nothing reads what is removed.
  cleanUp.add(async () => {
    shell.kill();
    await counted;
  });
  const count = Number(await counted);
  if (count !== lines) throw new Error(`zstdcat | wc -l counted ${count} lines, not ${lines}`);
  return (performance.now() - startedMs) / 1000;
}
