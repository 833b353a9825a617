/** Reads an amount that a player types: `@roundhouse/sdk/input`. */
import {
  type CurrencyCode,
  currencyFacts,
  DEFAULT_LANGUAGE,
  decimalsOfMicros,
  isMicros,
  type Language,
  type Micros,
} from '@roundhouse/contract/light';
import { type NumberMarks, numberMarksOf } from './numberMarks.ts';

/** No amount with its grouping, its symbol and spaces around it is as long. */
const MAX_TEXT_LENGTH = 64;
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** An East Asian keyboard writes these for 5.00 and ¥. */
const WIDE_FORMS = /[\uff01-\uffe6]/g;
const ARABIC_DECIMAL = /\u066b/g;
const ARABIC_GROUP = /\u066c/g;
/** The digits of Arabic, of Persian and of Hindi begin at these code points. */
const ZEROS = [0x0660, 0x06f0, 0x0966];

/**
 * Reads an amount as a player types it, exactly: grouping and decimal mark of the language ("1.234"
 * is 1234 in German and 1.234 in English), digits of any of the languages, with the currency's
 * symbol or code or without, spaces of all kinds. It is undefined for anything that is not plainly
 * one amount: letters, a sign, two decimal marks, a group of the wrong size, more decimals than a
 * micro has, more than 9,007,199,254,740,991 micros.
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

/** Returns digits 0 to 9, plain spaces, and the marks of the language. */
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
 * Returns the digits of a whole number, grouped correctly or not at all: "1.5" is not a number in
 * German, and above all not 15.
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
