import {
  CURRENCIES,
  type CurrencyCode,
  type CurrencyFacts,
  currencyFacts,
  DEFAULT_LANGUAGE,
  decimalsOfMicros,
  LANGUAGES,
  type Language,
  toMicros,
} from '@roundhouse/contract/light';
import { type NumberMarks, numberMarksOf } from './numberMarks.ts';

export type FormatAmountOptions = {
  /**
   * Digits are grouped, decimals marked and the symbol placed as this language does. The default is
   * English.
   */
  language?: Language;
  /**
   * The number of decimals of a whole amount, 0 to those of a micro (6, more where a server's
   * currency has more). The default is that of prices. `decimals: 0` gives $5, and still $5.50.
   */
  decimals?: number;
  /**
   * Social casino mode ({@link isSocial}): an amount in a currency of money is written as one of
   * gold coins, 1,234.50 GC. The default is false.
   */
  social?: boolean;
};

const NO_BREAK_SPACE = '\u00a0';
const LEFT_TO_RIGHT_ISOLATE = '\u2066';
const POP_ISOLATE = '\u2069';

/**
 * Writes an amount as the player reads it: digits, grouping and place of the symbol as the language
 * has them (1.000,00 $ in German), symbol and decimals of the currency. A symbol that the currency
 * puts behind the number (1,234.00 GC) stays there in every language. Nothing is rounded away: an
 * amount with a finer fraction shows as many decimals as it needs ($0.005). Number and symbol never
 * part at a line's end, and in Arabic the whole is isolated (U+2066…U+2069), so that the text
 * around it cannot move the symbol to the other side.
 * @param amountMicros whole micros within ±9,007,199,254,740,991
 * @throws RangeError when it is anything else
 */
export function formatAmount(
  amountMicros: number,
  currency: CurrencyCode,
  { language = DEFAULT_LANGUAGE, decimals, social = false }: FormatAmountOptions = {},
): string {
  const facts = shownFacts(currencyFacts(currency, language), social);
  const marks = numberMarksOf(language);
  const amount = toMicros(amountMicros);
  const number = writeNumber(Math.abs(amount), {
    marks,
    microsDecimals: decimalsOfMicros(facts),
    decimals: decimals ?? facts.decimals,
    priceDecimals: facts.decimals,
  });
  const minus = amount < 0 ? marks.minus : '';
  const shown = withSymbol(number, { minus, symbol: facts.symbol, symbolSide: facts.symbolSide, marks });
  return LANGUAGES[language].direction === 'rtl' ? LEFT_TO_RIGHT_ISOLATE + shown + POP_ISOLATE : shown;
}

/** The unit stays what it is: only its name and its decimals are those of the coins. */
function shownFacts(facts: CurrencyFacts, social: boolean): CurrencyFacts {
  if (!social || facts.kind === 'social') return facts;
  return { ...CURRENCIES.XGC, wireUnitsPerUnit: facts.wireUnitsPerUnit };
}

type Symbols = { minus: string; symbol: string; symbolSide: 'before' | 'after'; marks: NumberMarks };

function withSymbol(number: string, { minus, symbol, symbolSide, marks }: Symbols): string {
  if (marks.symbolSide === 'after' || symbolSide === 'after') return `${minus}${number}${NO_BREAK_SPACE}${symbol}`;
  // CLDR does the same: letters keep a distance from the number (Rp 5.000). Signs do not ($5), but
  // in languages that separate every symbol they do (R$ 5,00).
  const space = marks.isSymbolSpaced || !/\p{S}$/u.test(symbol) ? NO_BREAK_SPACE : '';
  return marks.isMinusInside ? symbol + space + minus + number : minus + symbol + space + number;
}

type Digits = { marks: NumberMarks; microsDecimals: number; decimals: number; priceDecimals: number };

/** Whole and fraction are split as text: as one number with a point they would be a float. */
function writeNumber(amountMicros: number, { marks, microsDecimals, decimals, priceDecimals }: Digits): string {
  const text = String(amountMicros).padStart(microsDecimals + 1, '0');
  const whole = marks.writeWhole(Number(text.slice(0, -microsDecimals)));
  const digits = text.slice(-microsDecimals).replace(/0+$/, '');
  const fewest = digits ? Math.max(decimals, priceDecimals) : decimals;
  const fraction = digits.padEnd(Math.min(fewest, microsDecimals), '0');
  return fraction ? whole + marks.decimal + fraction : whole;
}
