import { execFile, spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CleanUp } from '@roundhouse/service';
import type { BooksJob, BooksResult } from './booksProcess.ts';
import { startChild } from './child.ts';
import { median } from './measureInTurn.ts';
import type { Bench } from './probes.ts';

export type BooksResults = Awaited<ReturnType<typeof measureBooks>>;

const execute = promisify(execFile);

/**
 * Publishes a mode of about 4 KB a book. Each run loads it into an empty store, beside `zstdcat |
 * wc -l`, and draws and reads books of the reopened store for `seconds`. Returns medians of the
 * runs, and the largest peak.
 */
export async function measureBooks({ cleanUp, signal, options, stage }: Bench) {
  const { rounds: runs, seconds } = options;
  const { books } = options.sizes;
  const folder = path.join(stage.folders.root, 'many-books');
  const storeFolder = path.join(stage.folders.root, 'store');
  await inProcess(cleanUp, { task: 'publish', folder, books });
  const zstdcat: (number | undefined)[] = [];
  const results: BooksResult[] = [];
  for (let run = 0; run < runs; run += 1) {
    zstdcat.push(await timeZstdcat(path.join(folder, 'books_BASE.jsonl.zst'), { lines: books, signal }));
    results.push(await inProcess(cleanUp, { task: 'use', folder, storeFolder, seconds }));
    await rm(storeFolder, { recursive: true });
  }
  const mid = (name: keyof BooksResult) => median(results.map((result) => result[name])) ?? 0;
  return {
    books,
    bytesPerBook: mid('eventBytes') / books,
    loadSeconds: mid('loadSeconds'),
    loadCpuSeconds: mid('loadCpuSeconds'),
    loadPeakMegabytes: Math.max(...results.map(({ peakBytes }) => peakBytes)) / 1e6,
    // It is undefined where zstdcat is not installed.
    zstdcatSeconds: median(zstdcat),
    reopenSeconds: mid('reopenSeconds'),
    drawsPerSecond: mid('drawsPerSecond'),
    readsPerSecond: mid('readsPerSecond'),
  };
}

/** Runs one task in a fresh process, so that its memory and its processor time are its own. */
async function inProcess(cleanUp: CleanUp, job: BooksJob): Promise<BooksResult> {
  const child = startChild<BooksJob, BooksResult>(cleanUp, 'booksProcess');
  const result = await child.run(job);
  await child.stop();
  return result;
}

/** Returns how many seconds `zstdcat file | wc -l` takes. */
async function timeZstdcat(file: string, { lines, signal }: { lines: number; signal: AbortSignal }) {
  if (spawnSync('zstdcat', ['--version']).error !== undefined) return undefined;
  const startedMs = performance.now();
  // It runs in the session of the bench, as the load does: Linux gives each session its share of
  // the processor.
  const { stdout } = await execute('sh', ['-c', 'zstdcat "$1" | wc -l', 'sh', file], { signal });
  if (Number(stdout) !== lines) throw new Error(`zstdcat | wc -l counted ${stdout.trim()} lines, not ${lines}`);
  return (performance.now() - startedMs) / 1000;
}
