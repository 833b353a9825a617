import { randomFillSync } from 'node:crypto';
import type { Random64 } from './types.ts';

// One call to the system's generator costs about 1 µs, 64 bits out of a large one about 5 ns.
const bufferedWords = 4096;

/** A source of 64 random bits from node:crypto's generator, which is fit for games of chance. */
export function createCryptoRandom(): Random64 {
  const words = new Uint32Array(bufferedWords);
  let next = bufferedWords;
  return (into) => {
    if (next === bufferedWords) {
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
