import { readFile } from 'node:fs/promises';
import { createCryptoRandom, type MathMode, type MathPackage, openMath } from '@roundhouse/math';
import { bytesFromDisk, dropFromPageCache } from '../books/pageCache.ts';
import { publishBenchBooks } from '../books/publish.ts';
import { serveParent } from '../child.ts';

/** Each is done in a process of its own, so that its memory and its processor time are its own too. */
export type BooksTasks = {
  publish: { job: { folder: string; books: number }; result: undefined };
  load: { job: { folder: string; storeFolder: string }; result: Opened };
  use: { job: { folder: string; storeFolder: string; seconds: number }; result: Used };
};

export type BooksJob = { [Task in keyof BooksTasks]: { task: Task } & BooksTasks[Task]['job'] }[keyof BooksTasks];

/** What a load or a reopening took. `peakBytes`: the largest resident memory of the whole process until then. */
export type Opened = { seconds: number; cpuSeconds: number; peakBytes: number };

/** `coldReadsPerSecond`: undefined where the system did not let go of the files, or does not tell. */
export type Used = {
  opened: Opened;
  eventBytes: number;
  drawsPerSecond: number;
  warmReadsPerSecond: number;
  coldReadsPerSecond: number | undefined;
};

const COLD_READS = 2_000;
const WARM_BOOKS = 10_000;

serveParent<BooksJob, Opened | Used | undefined>(
  async (job) => {
    if (job.task === 'publish') {
      await publishBenchBooks(job.folder, job.books);
      return undefined;
    }
    const { math, opened } = await open(job);
    if (math.reopened !== (job.task === 'use')) throw new Error(`reopened is ${math.reopened} at "${job.task}"`);
    try {
      return job.task === 'load' ? opened : await use(math, { ...job, opened });
    } finally {
      await math.close();
    }
  },
  { close: async () => {} },
);

async function open(options: { folder: string; storeFolder: string }): Promise<{ math: MathPackage; opened: Opened }> {
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  const outcome = await openMath(options);
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return { math: outcome.value, opened: { seconds, cpuSeconds: (user + system) / 1e6, peakBytes: await peakBytes() } };
}

/** From /proc where there is one: the figure of getrusage starts with what the parent had in memory. */
async function peakBytes(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return Number(kibibytes ?? process.resourceUsage().maxRSS) * 1024;
}

async function use(
  { modes }: MathPackage,
  { storeFolder, seconds, opened }: { storeFolder: string; seconds: number; opened: Opened },
): Promise<Used> {
  const mode = modes.get('BASE');
  if (mode === undefined) throw new Error('there is no mode BASE');
  let eventBytes = 0;
  for (const book of mode.books()) eventBytes += book.eventBytes;
  return {
    opened,
    eventBytes,
    drawsPerSecond: drawsPerSecond(mode, seconds),
    warmReadsPerSecond: warmReadsPerSecond(mode, seconds),
    coldReadsPerSecond: await coldReadsPerSecond(mode, storeFolder),
  };
}

/** Per second of processor time: a draw waits for nothing, and who else uses the core must not count. */
function drawsPerSecond(mode: MathMode, seconds: number): number {
  const random = createCryptoRandom();
  const cpuSeconds = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;
  return perSecond(seconds, cpuSeconds, () => {
    for (let draw = 0; draw < 10_000; draw += 1) mode.draw(random);
    return 10_000;
  });
}

/** Books that have all been read before, in an order that no read-ahead guesses. */
function warmReadsPerSecond(mode: MathMode, seconds: number): number {
  const positions = drawnPositions(mode, WARM_BOOKS);
  for (const position of positions) mode.readEvents(position);
  return perSecond(seconds, wallSeconds, () => {
    for (const position of positions) mode.readEvents(position);
    return positions.length;
  });
}

/** Each read by itself, after its file has left the page cache. Below that, a disk's own cache may still have it. */
async function coldReadsPerSecond(mode: MathMode, storeFolder: string): Promise<number | undefined> {
  const positions = drawnPositions(mode, COLD_READS);
  await dropFromPageCache(storeFolder);
  const before = await bytesFromDisk();
  const startedMs = performance.now();
  let bytes = 0;
  for (const position of positions) bytes += mode.readEvents(position).length;
  const seconds = (performance.now() - startedMs) / 1000;
  const after = await bytesFromDisk();
  const isCold = before !== undefined && after !== undefined && after - before > bytes / 2;
  return isCold ? positions.length / seconds : undefined;
}

function drawnPositions(mode: MathMode, count: number): number[] {
  const random = createCryptoRandom();
  return Array.from({ length: count }, () => mode.draw(random).position);
}

function wallSeconds(): number {
  return performance.now() / 1000;
}

/** `work` does something and says how often. */
function perSecond(seconds: number, clock: () => number, work: () => number): number {
  const started = clock();
  let done = 0;
  for (;;) {
    done += work();
    const elapsed = clock() - started;
    if (elapsed >= seconds) return done / elapsed;
  }
}
