import { readFile } from 'node:fs/promises';
import { createCryptoRandom, type MathMode, openMath, publishMath } from '@roundhouse/math';
import { manyBooks } from './benchGame.ts';
import { serveParent } from './child.ts';

export type BooksJob =
  | { task: 'publish'; folder: string; books: number }
  | { task: 'load'; folder: string; storeFolder: string }
  | { task: 'use'; folder: string; storeFolder: string; seconds: number };

/** What a task took. `peakBytes`: the largest resident memory of the process after opening. */
export type BooksResult = {
  seconds: number;
  cpuSeconds: number;
  peakBytes: number;
  eventBytes?: number;
  drawsPerSecond?: number;
  readsPerSecond?: number;
};

const READ_BOOKS = 10_000;

serveParent<BooksJob, BooksResult | undefined>(async (job) => {
  if (job.task === 'publish') {
    await publishMath(job.folder, [{ name: 'BASE', cost: 1, books: manyBooks(job.books) }]);
    return undefined;
  }
  const [started, cpuStarted] = [wallSeconds(), cpuSeconds()];
  const outcome = await openMath(job);
  const took = {
    seconds: wallSeconds() - started,
    cpuSeconds: cpuSeconds() - cpuStarted,
    peakBytes: await peakBytes(),
  };
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  const math = outcome.value;
  const mode = math.modes.get('BASE');
  if (math.reopened !== (job.task === 'use') || mode === undefined) throw new Error(`the store of "${job.task}"`);
  const used = job.task === 'use' && use(mode, job.seconds);
  await math.close();
  return { ...took, ...used };
});

function use(mode: MathMode, seconds: number) {
  let eventBytes = 0;
  for (const book of mode.books()) eventBytes += book.eventBytes;
  const random = createCryptoRandom();
  // Per second of processor time: a draw waits for nothing.
  const drawsPerSecond = perSecond(seconds, cpuSeconds, () => {
    for (let draw = 0; draw < READ_BOOKS; draw += 1) mode.draw(random);
  });
  // Books that have all been read before, in an order that no read-ahead guesses.
  const positions = Array.from({ length: READ_BOOKS }, () => mode.draw(random).position);
  const read = () => {
    for (const position of positions) mode.readEvents(position);
  };
  read();
  return { eventBytes, drawsPerSecond, readsPerSecond: perSecond(seconds, wallSeconds, read) };
}

/** `work` does something READ_BOOKS times. */
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

/** From /proc where there is one: getrusage starts with what the parent had in memory. */
async function peakBytes(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return Number(kibibytes ?? process.resourceUsage().maxRSS) * 1024;
}
