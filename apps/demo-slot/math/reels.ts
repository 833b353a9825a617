import type { SeededRandom } from '@roundhouse/math';
import { type Board, ROWS, SYMBOLS, type SymbolCode } from '../rules.ts';

/** One reel shows these symbols at one stop, from top to bottom. */
type Window = readonly SymbolCode[];

/** Has the windows of a reel, one per stop, all equally likely. */
type Reel = {
  readonly windows: readonly Window[];
  /** The stops with a scatter, and those without. */
  readonly scattered: readonly Window[];
  readonly plain: readonly Window[];
};

export type Reels = readonly Reel[];

/**
 * Each text is the strip of one reel, a ring of symbol codes. Throws RangeError where a window has
 * two scatters.
 */
export function reelsOf(strips: readonly string[]): Reels {
  return strips.map((text) => {
    const strip = text.trim().split(/\s+/).map(symbolOf);
    const windows = strip.map((_, stop) => [...strip, ...strip].slice(stop, stop + ROWS));
    // The count of boards by scatters relies on this.
    if (windows.some((window) => scattersIn(window) > 1)) throw new RangeError(`two scatters in one window: ${text}`);
    return {
      windows,
      scattered: windows.filter((window) => scattersIn(window) === 1),
      plain: windows.filter((window) => scattersIn(window) === 0),
    };
  });
}

export function spinReels(reels: Reels, random: SeededRandom): Board {
  return reels.map(({ windows }) => oneOf(windows, random));
}

function oneOf<T>(choices: readonly T[], random: SeededRandom): T {
  return choices[random.below(choices.length)] as T;
}

/**
 * Returns the constant itself, not a text that equals it: comparing two of those takes twice as
 * long.
 */
function symbolOf(code: string): SymbolCode {
  const symbol = SYMBOLS.find((other) => other === code);
  if (symbol === undefined) throw new RangeError(`there is no symbol ${code}`);
  return symbol;
}

function scattersIn(window: Window): number {
  return window.filter((symbol) => symbol === 'S').length;
}

/** Returns boards that reels can show, drawn among all their stops with equal chance. */
export type BoardSource = {
  readonly reels: Reels;
  /** Counts the combinations of stops in which the reels show such a board. */
  readonly ways: bigint;
  draw(random: SeededRandom): Board;
};

type Pattern = { readonly hasScatter: readonly boolean[]; readonly ways: number };

/** Draws only boards with one of these numbers of scatters. It is exact: no draw is rejected. */
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

/** Returns which reels may show a scatter together, and in how many ways. */
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
