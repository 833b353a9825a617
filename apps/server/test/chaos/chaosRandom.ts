import { seededRandom } from '@roundhouse/math';

const RANGE = 2 ** 32;

/** From 0 to below 1. Each pair of numbers is a source of its own. */
export function createRandom(seed: number, stream: number): () => number {
  const source = seededRandom({ stream: seed, round: stream });
  return () => source.below(RANGE) / RANGE;
}
