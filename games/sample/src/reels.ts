import type { SeededRandom } from '@roundhouse/math';
import type { SymbolName } from './paytable.ts';

type Strip = readonly SymbolName[];
export type Strips = readonly [Strip, Strip, Strip];
export type Stops = readonly [number, number, number];

/** What the player sees: `board[reel][row]`, reel 0 on the left, row 0 on top. */
export type Board = readonly (readonly SymbolName[])[];

const ROWS = 3;

function strip(symbols: string): Strip {
  return symbols.split(' ') as SymbolName[];
}

/**
 * Every strip holds the same 17 symbols: S, W, H1 once, H2 and H3 twice, L1 and L2 three times, L3
 * four times.
 */
export const BASE_STRIPS: Strips = [
  strip('S L3 L1 H3 L2 W L3 H2 L1 L2 L3 H1 L1 H3 L3 L2 H2'),
  strip('S L2 H3 L3 L1 H2 L2 L3 W L1 L3 H3 L2 H1 L3 H2 L1'),
  strip('S L1 L3 H2 L2 L3 H3 L1 W L3 L2 H2 L1 L3 H1 L2 H3'),
];

/**
 * Every strip holds the same 17 symbols: W three times, H1 once, H2 and H3 twice, L1, L2 and L3
 * three times, no S.
 */
export const FREE_STRIPS: Strips = [
  strip('W L3 L1 H3 L2 H2 W L3 L1 L2 H1 W L3 H3 L1 L2 H2'),
  strip('W L2 H3 L3 L1 W H2 L2 L3 H1 L1 W H3 L2 L3 H2 L1'),
  strip('W L1 L3 H2 L2 W H3 L1 L3 L2 H1 W H2 L1 L3 L2 H3'),
];

/** A stop is the strip position that shows in the top row; the strip is a ring. */
export function boardAt(strips: Strips, stops: Stops): Board {
  return strips.map((symbols, reel) =>
    Array.from({ length: ROWS }, (_, row) => at(symbols, ((stops[reel] ?? 0) + row) % symbols.length)),
  );
}

/** Returns every combination of stops once, the last reel turning fastest. */
export function* everyStop(strips: Strips): Generator<Stops> {
  for (let first = 0; first < strips[0].length; first++)
    for (let second = 0; second < strips[1].length; second++)
      for (let third = 0; third < strips[2].length; third++) yield [first, second, third];
}

export function spin(strips: Strips, random: SeededRandom): Stops {
  return [random.below(strips[0].length), random.below(strips[1].length), random.below(strips[2].length)];
}

function at(symbols: Strip, index: number): SymbolName {
  const symbol = symbols[index];
  if (symbol === undefined) throw new RangeError(`no symbol at position ${index} of a strip of ${symbols.length}`);
  return symbol;
}
