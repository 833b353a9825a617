import type { SeededRandom } from '@roundhouse/math';
import { type Board, ROWS, SYMBOLS, type SymbolCode } from './rules.ts';

/** Each strip is a ring for one reel. Wilds are on the three reels in the middle. */
const STRIPS = [
  'L4 H3 L1 L3 H2 L2 L4 H1 L3 L1 H3 L4 L2 H2 L3 L1 L4 H3 L2 L3',
  'L3 W  L2 H3 L4 L1 H2 L3 L2 H1 L4 L1 H3 L3 L2 L4 H2 L1 L4 L3',
  'L1 L4 H2 L3 W  L2 H3 L4 L1 L3 H1 L2 L4 H3 L1 L3 H2 L4 L2 L3',
  'L2 H3 L3 L4 L1 H1 L2 L3 W  L4 H2 L1 L3 L2 H3 L4 L1 L3 H2 L4',
  'L3 L4 H2 L1 L2 H3 L4 L3 H1 L2 L1 L4 H3 L3 L2 L4 H2 L1 L3 L4',
].map(symbolsOf);

export function spinReels(random: SeededRandom): Board {
  return STRIPS.map((strip) => {
    const stop = random.below(strip.length);
    return Array.from({ length: ROWS }, (_, row) => strip[(stop + row) % strip.length] as SymbolCode);
  });
}

function symbolsOf(text: string): SymbolCode[] {
  return text.split(/\s+/).map((code) => {
    const symbol = SYMBOLS.find((each) => each === code);
    if (symbol === undefined) throw new RangeError(`math/reels.ts: there is no symbol ${code}`);
    return symbol;
  });
}
