import { MODES } from '../math/modes.ts';
import { FALLING, MULTIPLIERS, PAYTABLE, SIZES, SYMBOLS, type SymbolCode } from '../math/rules.ts';
import { h, named, table } from './dom.ts';
import { payOf } from './money.ts';
import { fill, type Texts } from './texts.ts';
import type { PaytableParts } from './types.ts';

/** Shows rules and paytable, from the data of the math. */
export function paytable({ texts, money, betMicros, picture }: PaytableParts): Node[] {
  const drawn = (symbol: SymbolCode) => named(picture(symbol), texts[`symbol${symbol}`]);
  const sizes = SIZES.map((size, place) => {
    const next = SIZES[place + 1];
    if (next === undefined) return `${size}+`;
    return next === size + 1 ? `${size}` : `${size}–${next - 1}`;
  });
  const rows = SYMBOLS.map((symbol) => [
    drawn(symbol),
    ...PAYTABLE[symbol].map((pay) => money.text(payOf(betMicros, pay))),
  ]);
  const missing = Object.keys(MODES).flatMap((mode) => {
    const symbols = SYMBOLS.filter((symbol) => !FALLING[mode]?.includes(symbol));
    if (symbols.length === 0) return [];
    const name = texts[`mode${mode}` as keyof Texts] ?? mode;
    return [h('p', { className: 'symbolNote' }, ...symbols.map(drawn), fill(texts.missingNote, { mode: name }))];
  });
  return [
    h('p', {}, fill(texts.paytableNote, { bet: money.text(betMicros) })),
    table([texts.symbol, ...sizes], rows),
    h('h3', {}, texts.howToWin),
    h('p', {}, fill(texts.clusterNote, { fewest: SIZES[0] })),
    h('p', {}, texts.tumbleNote),
    h('p', {}, fill(texts.multiplierNote, { multipliers: MULTIPLIERS.map((each) => `×${each}`).join(', ') })),
    ...missing,
  ];
}
