import type { SeededRandom } from '@roundhouse/math';
import type { Board } from '../rules/symbols.ts';
import { oneOf, type Reels } from './reels.ts';

/** Boards that reels can show, drawn among all their stops with equal chance. */
export type BoardSource = {
  readonly reels: Reels;
  /** In how many combinations of stops the reels show such a board. */
  readonly ways: bigint;
  draw(random: SeededRandom): Board;
};

type Pattern = { readonly hasScatter: readonly boolean[]; readonly ways: number };

/** Only the boards with one of these numbers of scatters. It is exact: no draw is rejected. */
export function boardsWithScatters(reels: Reels, counts: readonly number[]): BoardSource {
  const patterns = scatterPatterns(reels).filter(({ hasScatter }) =>
    counts.includes(hasScatter.filter(Boolean).length),
  );
  const ways = patterns.reduce((sum, pattern) => sum + pattern.ways, 0);
  return {
    reels,
    ways: BigInt(ways),
    draw(random) {
      const { hasScatter } = patternAt(patterns, random.below(ways));
      return reels.map(({ scattered, plain }, reel) => oneOf(hasScatter[reel] ? scattered : plain, random));
    },
  };
}

/** Which reels may show a scatter together, and in how many ways. */
function scatterPatterns(reels: Reels): Pattern[] {
  return reels.reduce<Pattern[]>(
    (patterns, { scattered, plain }) =>
      patterns.flatMap(({ hasScatter, ways }) => [
        { hasScatter: [...hasScatter, false], ways: ways * plain.length },
        { hasScatter: [...hasScatter, true], ways: ways * scattered.length },
      ]),
    [{ hasScatter: [], ways: 1 }],
  );
}

function patternAt(patterns: readonly Pattern[], way: number): Pattern {
  let rest = way;
  for (const pattern of patterns) {
    if (rest < pattern.ways) return pattern;
    rest -= pattern.ways;
  }
  throw new RangeError(`there is no way ${way}`);
}
