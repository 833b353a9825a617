import { LINES, PAYTABLE, REELS, ROWS, SYMBOLS, type SymbolCode, WILD_MULTIPLIER } from '../math/rules.ts';
import { h, named, table } from './dom.ts';
import { payOf } from './money.ts';
import { fill } from './texts.ts';
import type { PaytableParts } from './types.ts';

/** The least symbols that pay. The paytable counts up from it. */
const FEWEST = 3;

/** Shows rules and paytable, from the data of the math. */
export function paytable({ texts, money, betMicros, picture }: PaytableParts): Node[] {
  const counts = Array.from({ length: REELS - FEWEST + 1 }, (_, place) => FEWEST + place);
  const paying = SYMBOLS.filter((symbol): symbol is Exclude<SymbolCode, 'W'> => symbol !== 'W');
  const rows = paying.map((symbol) => [
    named(picture(symbol), texts[`symbol${symbol}`]),
    ...PAYTABLE[symbol].map((pay) => money.text(payOf(betMicros, pay))),
  ]);
  const names = [texts.symbol, ...counts.map((count) => `${count}×`)];
  return [
    h('p', {}, fill(texts.paytableNote, { bet: money.text(betMicros) })),
    table(names, rows),
    h(
      'p',
      { className: 'symbolNote' },
      named(picture('W'), texts.symbolW),
      fill(texts.wildNote, { multiplier: WILD_MULTIPLIER }),
    ),
    h('h3', {}, texts.lines),
    h('p', {}, fill(texts.linesNote, { lines: LINES.length, fewest: FEWEST })),
    h('ol', { className: 'lines' }, ...LINES.map((rowOfReel, place) => lineDiagram(rowOfReel, place + 1))),
  ];
}

/**
 * Returns a small board with the cells that the line crosses. Screen readers read its rows from the
 * left.
 */
function lineDiagram(rowOfReel: readonly number[], number: number): HTMLElement {
  const cells = Array.from({ length: ROWS * REELS }, (_, place) => {
    const isOnLine = rowOfReel[place % REELS] === Math.floor(place / REELS);
    return h('i', { className: isOnLine ? 'on' : '' });
  });
  const name = `${number}: ${rowOfReel.map((row) => row + 1).join(' – ')}`;
  const diagram = h('span', { role: 'img', ariaLabel: name }, ...cells);
  diagram.style.gridTemplateColumns = `repeat(${REELS}, 1fr)`;
  return h('li', {}, String(number), diagram);
}
