import {
  CURRENCIES,
  type CurrencyCode,
  type CurrencyFacts,
  currencyFacts,
  DEFAULT_LANGUAGE,
  decimalsOfMicros,
  isMicros,
  LANGUAGES,
  type Language,
  type Micros,
  toMicros,
} from '@roundhouse/contract/light';

export type FormatAmountOptions = {
  /**
   * Digits are grouped, decimals marked and the symbol placed as this language does. English when
   * left out.
   */
  language?: Language;
  /**
   * Decimals of a whole amount, 0 to those of a micro (6, more where a currency of the server has
   * more); what the currency's prices have when left out. `decimals: 0` gives $5, and still $5.50.
   */
  decimals?: number;
  /**
   * Social casino mode ({@link isSocial}): an amount in a currency of money is written as one of
   * gold coins, 1,234.50 GC. False when left out.
   */
  social?: boolean;
};

const NO_BREAK_SPACE = '\u00a0';
const LEFT_TO_RIGHT_ISOLATE = '\u2066';
const POP_ISOLATE = '\u2069';

/**
 * An amount as the player reads it: digits, grouping and place of the symbol as the language has
 * them (1.000,00 $ in German), symbol and decimals of the currency. A symbol that stands behind the
 * number by itself (1,234.00 GC) does so in every language. Nothing is rounded away: an amount with
 * a finer fraction shows as many decimals as it needs ($0.005). Number and symbol never part at a
 * line's end, and in Arabic the whole is isolated (U+2066…U+2069), so that the text around it
 * cannot move the symbol to the other side.
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
  // As CLDR does it: letters keep a distance from the number (Rp 5.000), signs do not ($5), but in
  // languages that separate every symbol (R$ 5,00).
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

/** Longer than any amount with its grouping, its symbol and spaces around it. */
const MAX_TEXT_LENGTH = 64;
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** What an East Asian keyboard writes for 5.00 and ¥. */
const WIDE_FORMS = /[\uff01-\uffe6]/g;
const ARABIC_DECIMAL = /\u066b/g;
const ARABIC_GROUP = /\u066c/g;
/** Where the digits of Arabic, of Persian and of Hindi begin. */
const ZEROS = [0x0660, 0x06f0, 0x0966];

/**
 * Reads an amount as a player types it, exactly: grouping and decimal mark of the language ("1.234"
 * is 1234 in German and 1.234 in English), digits of any of the languages, with the currency's
 * symbol or code or without, spaces of all kinds. Undefined for anything that is not plainly one
 * amount: letters, a sign, two decimal marks, a group of the wrong size, more decimals than a micro
 * has, more than 9,007,199,254,740,991 micros.
 */
export function parseAmount(
  text: string,
  currency: CurrencyCode,
  { language = DEFAULT_LANGUAGE }: { language?: Language } = {},
): Micros | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const marks = numberMarksOf(language);
  const facts = currencyFacts(currency, language);
  const microsDecimals = decimalsOfMicros(facts);
  const number = withoutSymbol(toPlainText(text, marks), currency, facts.symbol);
  const [whole = '', fraction = '', ...more] = number.split(marks.decimal);
  const wholeDigits = withoutGroups(whole, marks);
  if (more.length > 0 || wholeDigits === undefined) return undefined;
  if (!/^\d*$/.test(fraction) || fraction.length > microsDecimals) return undefined;
  if (wholeDigits + fraction === '') return undefined;
  // A text of digits alone is read exactly as long as it is in the range, and never as a number
  // within it when it is not.
  const micros = Number(wholeDigits + fraction.padEnd(microsDecimals, '0'));
  return isMicros(micros) ? micros : undefined;
}

/** Digits 0 to 9, plain spaces, and the marks of the language. */
function toPlainText(text: string, { group, decimal }: NumberMarks): string {
  return text
    .replace(DIRECTION_MARKS, '')
    .replace(WIDE_FORMS, (form) => form.normalize('NFKC'))
    .replace(/\p{Nd}/gu, toAsciiDigit)
    .replace(ARABIC_DECIMAL, decimal)
    .replace(ARABIC_GROUP, group)
    .replace(/\s/g, ' ')
    .trim();
}

function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = ZEROS.find((first) => code >= first && code < first + 10);
  return zero === undefined ? digit : String(code - zero);
}

/**
 * Takes the symbol, its sign alone ($ for CA$, as people type it) or the code off one of the two
 * ends.
 */
function withoutSymbol(text: string, currency: CurrencyCode, symbol: string): string {
  const lower = text.toLowerCase();
  const names = [symbol, currency, ...(symbol.match(/\p{Sc}$/u) ?? [])].map((name) => name.toLowerCase());
  for (const name of names) {
    if (lower.startsWith(name)) return text.slice(name.length).trim();
    if (lower.endsWith(name)) return text.slice(0, -name.length).trim();
  }
  return text;
}

/**
 * The digits of a whole number, grouped correctly or not at all: "1.5" is no number in German, and
 * above all not 15.
 */
function withoutGroups(whole: string, { group, groupDigits }: NumberMarks): string | undefined {
  if (/^\d*$/.test(whole)) return whole;
  const separator = whole.includes(' ') ? ' ' : group;
  const [first = '', ...rest] = whole.split(separator);
  const last = rest.pop();
  const isGrouped =
    /^\d{1,3}$/.test(first) &&
    last !== undefined &&
    /^\d{3}$/.test(last) &&
    rest.every((middle) => /^\d+$/.test(middle) && middle.length >= groupDigits && middle.length <= 3);
  return isGrouped ? first + rest.join('') + last : undefined;
}

/** How a language writes numbers. */
export type NumberMarks = {
  /** Writes a whole number of zero or more in groups. */
  readonly writeWhole: (whole: number) => string;
  readonly minus: string;
  readonly group: string;
  readonly decimal: string;
  /**
   * Fewest digits of a group that is neither the first nor the last: three, in Hindi two
   * (12,34,567).
   */
  readonly groupDigits: number;
  /** Where it writes a currency's symbol. */
  readonly symbolSide: 'before' | 'after';
  /** Whether a sign ($) before the number keeps a distance from it, too. */
  readonly isSymbolSpaced: boolean;
  /** Whether the minus stands between symbol and number. */
  readonly isMinusInside: boolean;
};

// An Intl.NumberFormat takes far longer to make than to use, and a count-up writes an amount in
// every frame.
const known = new Map<Language, NumberMarks>();

/**
 * The marks of a language, always with the digits 0 to 9: in a slot an amount must be read alike by
 * the player, by support and in a screenshot, and games in Arabic and Hindi keep these digits for
 * money, too.
 */
export function numberMarksOf(language: Language): NumberMarks {
  let marks = known.get(language);
  if (!marks) {
    const locale = `${language}-u-nu-latn`;
    const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
    marks = { ...readMarks(number), ...readSymbolPlace(locale, language) };
    known.set(language, marks);
  }
  return marks;
}

type SymbolPlace = Pick<NumberMarks, 'symbolSide' | 'isSymbolSpaced' | 'isMinusInside'>;

function readMarks(format: Intl.NumberFormat): Omit<NumberMarks, keyof SymbolPlace> {
  const parts = format.formatToParts(-1234567.5);
  const valuesOf = (type: string) => parts.filter((part) => part.type === type).map((part) => part.value);
  return {
    writeWhole: (whole) => format.format(whole),
    // Arabic puts a direction mark before its minus; an amount in Arabic is isolated as a whole
    // instead.
    minus: valuesOf('minusSign')
      .join('')
      .replace(/\u200e/g, ''),
    group: valuesOf('group')[0] ?? '',
    decimal: valuesOf('decimal').join(''),
    groupDigits: valuesOf('integer')[1]?.length ?? 3,
  };
}

function readSymbolPlace(locale: string, language: Language): SymbolPlace {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' });
  const types = format.formatToParts(-1).map(({ type }) => type);
  const placeOf = (type: Intl.NumberFormatPartTypes) => types.indexOf(type);
  // What stands behind the number in a text from right to left is on its left side: in the isolate,
  // before it.
  const isAfter = placeOf('currency') > placeOf('integer') && LANGUAGES[language]?.direction !== 'rtl';
  return {
    symbolSide: isAfter ? 'after' : 'before',
    isSymbolSpaced: placeOf('literal') === placeOf('currency') + 1,
    isMinusInside: placeOf('minusSign') > placeOf('currency'),
  };
}
