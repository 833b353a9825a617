import type { SymbolCode } from '../../rules.ts';
import type { TextKey, Texts } from './texts.ts';

type NamedSymbol = Extract<SymbolCode, 'W' | 'S' | `H${number}`>;

const NAME_KEYS: Readonly<Record<NamedSymbol, TextKey>> = {
  W: 'symbolWild',
  S: 'symbolScatter',
  H1: 'symbolH1',
  H2: 'symbolH2',
  H3: 'symbolH3',
  H4: 'symbolH4',
};

/** The low symbols are letters of station signs, the same in every language. */
const SIGNS: Readonly<Record<Exclude<SymbolCode, NamedSymbol>, string>> = {
  L1: 'A',
  L2: 'K',
  L3: 'Q',
  L4: 'J',
  L5: '10',
};

/** What a symbol is called. */
export function symbolName(symbol: SymbolCode, { t }: Pick<Texts, 't'>): string {
  return symbol in SIGNS ? SIGNS[symbol as keyof typeof SIGNS] : t(NAME_KEYS[symbol as NamedSymbol]);
}
