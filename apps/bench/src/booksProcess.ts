import { readFile } from 'node:fs/promises';
import { createCryptoRandom, type MathMode, openMath, publishMath } from '@roundhouse/math';
import { manyBooks } from './benchGame.ts';
import { serveParent } from './child.ts';

export type BooksJob =
  | { task: 'publish'; folder: string; books: number }
  | { task: 'use'; folder: string; storeFolder: string; seconds: number };

/** `peakBytes` is the largest resident memory of the process after the load. */
export type BooksResult = {
  loadSeconds: number;
  loadCpuSeconds: number;
  peakBytes: number;
  reopenSeconds: number;
  eventBytes: number;
  drawsPerSecond: number;
  readsPerSecond: number;
};

const READ_BOOKS = 10_000;

serveParent<BooksJob, BooksResult | undefined>(async (job) => {
  if (job.task === 'publish') {
    await publishMath(job.folder, [{ name: 'BASE', cost: 1, books: manyBooks(job.books) }]);
    return undefined;
  }
  const [started, cpuStarted] = [wallSeconds(), cpuSeconds()];
  await (await openStore(job, { reopened: false })).close();
  const loadSeconds = wallSeconds() - started;
  const loadCpuSeconds = cpuSeconds() - cpuStarted;
  const loaded = { loadSeconds, loadCpuSeconds, peakBytes: await peakBytes() };
  const reopenedAt = wallSeconds();
  const math = await openStore(job, { reopened: true });
  const reopenSeconds = wallSeconds() - reopenedAt;
  const used = use(math.modes.get('BASE') as MathMode, job.seconds);
  await math.close();
  return { ...loaded, reopenSeconds, ...used };
});

async function openStore(job: { folder: string; storeFolder: string }, { reopened }: { reopened: boolean }) {
  const outcome = await openMath(job);
  if (!outcome.ok || outcome.value.reopened !== reopened) throw new Error(`the store: ${JSON.stringify(outcome)}`);
  return outcome.value;
}

function use(mode: MathMode, seconds: number) {
  let eventBytes = 0;
  for (const book of mode.books()) eventBytes += book.eventBytes;
  const random = createCryptoRandom();
  // The rate is per second of processor time: a draw waits for nothing.
  const drawsPerSecond = perSecond(seconds, cpuSeconds, () => {
    for (let draw = 0; draw < READ_BOOKS; draw += 1) mode.draw(random);
  });
  // The process has read all these books before; no read-ahead guesses their order.
  const positions = Array.from({ length: READ_BOOKS }, () => mode.draw(random).position);
  const read = () => {
    for (const position of positions) mode.readEvents(position);
  };
  read();
  return { eventBytes, drawsPerSecond, readsPerSecond: perSecond(seconds, wallSeconds, read) };
}

/** Returns a rate; each call of `work` does something READ_BOOKS times. */
function perSecond(seconds: number, clock: () => number, work: () => void): number {
  const started = clock();
  for (let done = READ_BOOKS; ; done += READ_BOOKS) {
    work();
    const elapsed = clock() - started;
    if (elapsed >= seconds) return done / elapsed;
  }
}

function wallSeconds(): number {
  return performance.now() / 1000;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Reads /proc where there is one: getrusage starts with what the parent had in memory. */
async function peakBytes(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return Number(kibibytes ?? process.resourceUsage().maxRSS) * 1024;
}
