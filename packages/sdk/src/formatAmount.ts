import {
  CURRENCIES,
  type CurrencyCode,
  DEFAULT_LANGUAGE,
  LANGUAGES,
  type Language,
  MICROS_PER_UNIT,
  toMicros,
} from '@roundhouse/contract/light';
import { numberMarksOf } from './numberMarks.ts';

export type FormatAmountOptions = {
  /** Digits are grouped, and decimals marked, as this language does. English when left out. */
  language?: Language;
  /**
   * Decimals of a whole amount, 0 to 6; what the currency's prices have when left out. `decimals:
   * 0` gives $5, and still $5.50.
   */
  decimals?: number;
};

const MAX_DECIMALS = 6;
const NO_BREAK_SPACE = '\u00a0';
const LEFT_TO_RIGHT_ISOLATE = '\u2066';
const POP_ISOLATE = '\u2069';

/**
 * An amount as the player reads it: digits and grouping of the language, symbol, its side and the
 * decimals of the currency. Nothing is rounded away: an amount with a finer fraction shows as many
 * decimals as it needs ($0.005). Social coins carry no currency sign (1,234.00 GC). Number and
 * symbol never part at a line's end, and in Arabic the whole is isolated (U+2066…U+2069), so that
 * the text around it cannot move the symbol to the other side.
 * @param amountMicros whole micros within ±9,007,199,254,740,991
 * @throws RangeError when it is anything else
 */
export function formatAmount(
  amountMicros: number,
  currency: CurrencyCode,
  { language = DEFAULT_LANGUAGE, decimals }: FormatAmountOptions = {},
): string {
  const facts = CURRENCIES[currency];
  const amount = toMicros(amountMicros);
  const number = writeNumber(Math.abs(amount), {
    language,
    decimals: decimals ?? facts.decimals,
    priceDecimals: facts.decimals,
  });
  // As CLDR does it: letters keep a distance from the number (Rp 5.000), signs do not ($5).
  const isSign = /\p{S}$/u.test(facts.symbol);
  const shown =
    facts.symbolSide === 'after'
      ? `${number}${NO_BREAK_SPACE}${facts.symbol}`
      : `${facts.symbol}${isSign ? '' : NO_BREAK_SPACE}${number}`;
  const signed = amount < 0 ? numberMarksOf(language).minus + shown : shown;
  return LANGUAGES[language].direction === 'rtl' ? LEFT_TO_RIGHT_ISOLATE + signed + POP_ISOLATE : signed;
}

type Digits = { language: Language; decimals: number; priceDecimals: number };

/**
 * Whole and fraction are split by integer arithmetic: as one number with a point they would be a
 * float.
 */
function writeNumber(amountMicros: number, { language, decimals, priceDecimals }: Digits): string {
  const marks = numberMarksOf(language);
  const fractionMicros = amountMicros % MICROS_PER_UNIT;
  const whole = marks.writeWhole((amountMicros - fractionMicros) / MICROS_PER_UNIT);
  const digits = String(fractionMicros).padStart(MAX_DECIMALS, '0').replace(/0+$/, '');
  const fewest = digits ? Math.max(decimals, priceDecimals) : decimals;
  const fraction = digits.padEnd(Math.min(fewest, MAX_DECIMALS), '0');
  return fraction ? whole + marks.decimal + fraction : whole;
}
