import { randomFillSync } from 'node:crypto';
import type { Random64 } from '../types.ts';

// One call to the system's generator costs about 1 µs, 64 bits out of a large one about 5 ns.
const BUFFERED_WORDS = 4096;

/**
 * Makes a source of 64 random bits from node:crypto's generator, which is fit for games of chance.
 */
export function createCryptoRandom(): Random64 {
  const words = new Uint32Array(BUFFERED_WORDS);
  let next = BUFFERED_WORDS;
  return (into) => {
    if (next === BUFFERED_WORDS) {
      randomFillSync(words);
      next = 0;
    }
    into[0] = words[next] as number;
    into[1] = words[next + 1] as number;
    // Used bits do not stay in memory, where a later dump could tell past draws.
    words[next] = 0;
    words[next + 1] = 0;
    next += 2;
  };
}

/** The makers of books draw with it. */
export type SeededRandom = {
  /** Returns a whole number from 0 up to, not including, `limit` (1 to 2^32). */
  below(limit: number): number;
};

/** A seed is two 32-bit numbers: every pair is a different source. */
export type Seed = { readonly stream: number; readonly round: number };

const RANGE = 2 ** 32;

/**
 * Takes the draw's 64 random bits out of {@link seededRandom}, for a simulation that can be
 * repeated. It is not fit for play: who has seen some draws can compute the next ones.
 */
export function seededRandom64(seed: Seed): Random64 {
  const { below } = seededRandom(seed);
  return (into) => {
    into[0] = below(RANGE);
    into[1] = below(RANGE);
  };
}

/**
 * sfc32 needs 32-bit integer arithmetic only, so the same seed gives the same numbers on every
 * machine. It makes books that anyone can make again. The server draws among them with a
 * cryptographic source.
 */
export function seededRandom({ stream, round }: Seed): SeededRandom {
  let a = stream | 0;
  let b = round | 0;
  let c = 0x9e3779b9 | 0;
  let counter = 1;

  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  // The first outputs of close seeds resemble each other until the state is mixed.
  for (let turn = 0; turn < 16; turn++) next();

  return {
    below(limit) {
      const fair = RANGE - (RANGE % limit);
      let value = next();
      while (value >= fair) value = next();
      return value % limit;
    },
  };
}
