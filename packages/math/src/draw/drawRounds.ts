import { availableParallelism } from 'node:os';
import { requireThreads, runThreads } from '../threads.ts';

type Draws = {
  /** `openMath` has put the package there. */
  storeFolder: string;
  sha256: string;
  /** The name in upper case. */
  mode: string;
  /** It is 1 to 10^12. */
  rounds: number;
  /**
   * It is 0 to 2^32 − 1. Every run with it draws the same, on any number of threads. Without it the
   * draws are from the generator of {@link createCryptoRandom}.
   */
  seed?: number | undefined;
};

export type DrawRoundsOptions = Draws & {
  /** Without it there are as many as the machine has cores. */
  threads?: number | undefined;
  /** Called after every some ten thousand rounds, in this thread. */
  onProgress?: ((progress: { drawn: number; rounds: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/** A thread is given this. Both arrays are shared, `counts` only with this thread. */
export type DrawJob = Draws & { counts: Float64Array<SharedArrayBuffer>; nextChunk: Int32Array<SharedArrayBuffer> };

/** Each chunk has separate random numbers, so a seeded run does not depend on who draws it. */
export const DRAWS_PER_CHUNK = 65_536;
const MAX_ROUNDS = 1e12;

/**
 * Draws rounds of a mode in threads, with the draw of real plays: `MathMode.draw`. Returns how
 * often each book was drawn, by its position. Rejects with the signal's reason.
 */
export async function drawRounds(options: DrawRoundsOptions & { bookCount: number }): Promise<Float64Array> {
  const { storeFolder, sha256, mode, rounds, seed, threads = availableParallelism(), bookCount } = options;
  if (!(Number.isInteger(rounds) && rounds > 0 && rounds <= MAX_ROUNDS)) {
    throw new RangeError(`rounds must be a whole number from 1 to ${MAX_ROUNDS}, not ${rounds}`);
  }
  requireThreads(threads);
  const nextChunk = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const jobs = Array.from({ length: Math.min(threads, Math.ceil(rounds / DRAWS_PER_CHUNK)) }, (): DrawJob => {
    // The sum is exact up to 2^53, which no number of rounds here reaches.
    const counts = new Float64Array(new SharedArrayBuffer(bookCount * Float64Array.BYTES_PER_ELEMENT));
    return { storeFolder, sha256, mode, rounds, seed, counts, nextChunk };
  });
  let drawn = 0;
  const onMessage = (size: number): void => {
    drawn += size;
    options.onProgress?.({ drawn, rounds });
  };
  const script = new URL('./drawWorker.js', import.meta.url);
  await runThreads({ script, jobs, onMessage, signal: options.signal });
  const sums = new Float64Array(bookCount);
  for (const { counts } of jobs)
    for (const [position, count] of counts.entries()) sums[position] = (sums[position] as number) + count;
  return sums;
}
