import { availableParallelism } from 'node:os';
import { type SeededRandom, seededRandom } from '../draw/random.ts';
import { requireThreads, runThreads } from '../threads.ts';

/**
 * Plays one round of a mode with the random numbers given to it, and with nothing else that could
 * differ between two calls. `payoutMultiplier` is a whole number in hundredths of the base bet.
 */
export type PlayRound = (random: SeededRandom, mode: string) => { readonly payoutMultiplier: number };

type Rounds = {
  mode: string;
  /** It is 1 to 2^30. */
  rounds: number;
  /** Round n, counted from 0, is played with `seededRandom({ stream, round: n })`. */
  stream: number;
};

export type SimulateOptions = Rounds & {
  /**
   * It is the address of a module that exports a {@link PlayRound} as `simulate`: JavaScript, or
   * TypeScript where the process can load it, such as under tsx.
   */
  module: URL;
  /**
   * The number of threads that play; by default the number of the machine's cores. The result does
   * not depend on it.
   */
  workers?: number;
  /** Called after every some thousand rounds, in this thread. */
  onProgress?: (progress: { played: number; rounds: number }) => void;
  signal?: AbortSignal;
};

/** A worker is given this. Both buffers are shared. */
export type SimulateJob = Rounds & { module: string; payouts: Uint32Array; nextChunk: Int32Array };

export const ROUNDS_PER_CHUNK = 4096;
const MAX_ROUNDS = 2 ** 30;

/**
 * Plays rounds in worker threads. Returns what each pays, in the order of the rounds. Rejects with
 * what the module or its function throws, and with the signal's reason.
 */
export async function simulate(options: SimulateOptions): Promise<Uint32Array> {
  const { module, mode, rounds, stream, workers = availableParallelism(), onProgress, signal } = options;
  requireRounds(rounds);
  requireThreads(workers);
  const payouts = new Uint32Array(new SharedArrayBuffer(rounds * Uint32Array.BYTES_PER_ELEMENT));
  const nextChunk = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const job: SimulateJob = { module: module.href, mode, rounds, stream, payouts, nextChunk };
  let played = 0;
  const onChunk = (size: number): void => {
    played += size;
    onProgress?.({ played, rounds });
  };
  const count = Math.min(workers, Math.ceil(rounds / ROUNDS_PER_CHUNK));
  await runThreads({
    script: new URL('./simulateWorker.js', import.meta.url),
    jobs: Array.from({ length: count }, () => job),
    onMessage: onChunk,
    signal,
  });
  return payouts;
}

/** Does the same in this thread, for tests and small games: no module has to be loaded. */
export function simulateSync(play: PlayRound, { mode, rounds, stream }: Rounds): Uint32Array {
  requireRounds(rounds);
  return Uint32Array.from({ length: rounds }, (_, round) => payoutOf(play, { mode, stream, round }));
}

/** Throws with the round that failed, so that it can be played again alone. */
export function payoutOf(play: PlayRound, { mode, stream, round }: Omit<Rounds, 'rounds'> & { round: number }): number {
  const place = `round ${round} of stream ${stream} in mode ${mode}`;
  let payout: unknown;
  try {
    payout = play(seededRandom({ stream, round }), mode)?.payoutMultiplier;
  } catch (error) {
    throw new Error(`${place}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  if (typeof payout === 'number' && Number.isInteger(payout) && payout >= 0 && payout < 2 ** 32) return payout;
  throw new RangeError(`${place}: payoutMultiplier must be a whole number from 0 to 2^32 − 1, not ${String(payout)}`);
}

function requireRounds(rounds: number): void {
  if (Number.isInteger(rounds) && rounds > 0 && rounds <= MAX_ROUNDS) return;
  throw new RangeError(`rounds must be a whole number from 1 to ${MAX_ROUNDS}, not ${rounds}`);
}
