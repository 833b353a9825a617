import {
  CURRENCIES,
  type CurrencyCode,
  DEFAULT_LANGUAGE,
  isMicros,
  LANGUAGES,
  type Language,
  MICROS_PER_UNIT,
  type Micros,
  toMicros,
} from '@roundhouse/contract/light';

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
 * is 1234 in German and 1.234 in English), digits of any of the 16 languages, with the currency's
 * symbol or code or without, spaces of all kinds. Undefined for anything that is not plainly one
 * amount: letters, a sign, two decimal marks, a group of the wrong size, more than six decimals,
 * more than 9,007,199,254.740991 units.
 */
export function parseAmount(
  text: string,
  currency: CurrencyCode,
  { language = DEFAULT_LANGUAGE }: { language?: Language } = {},
): Micros | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const marks = numberMarksOf(language);
  const [whole = '', fraction = '', ...more] = withoutSymbol(toPlainText(text, marks), currency).split(marks.decimal);
  const wholeDigits = withoutGroups(whole, marks);
  if (more.length > 0 || wholeDigits === undefined || !/^\d{0,6}$/.test(fraction)) return undefined;
  if (wholeDigits + fraction === '') return undefined;
  // A text of digits alone is read exactly as long as it is in the range, and never as a number
  // within it when it is not.
  const micros = Number(wholeDigits + fraction.padEnd(6, '0'));
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
function withoutSymbol(text: string, currency: CurrencyCode): string {
  const { symbol } = CURRENCIES[currency];
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
    marks = readMarks(new Intl.NumberFormat(`${language}-u-nu-latn`, { maximumFractionDigits: 1 }));
    known.set(language, marks);
  }
  return marks;
}

function readMarks(format: Intl.NumberFormat): NumberMarks {
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
