import { LANGUAGES, type Language } from '@roundhouse/contract/light';

/** Says how a language writes numbers. */
export type NumberMarks = {
  /** Writes a whole number of zero or more in groups. */
  readonly writeWhole: (whole: number) => string;
  readonly minus: string;
  readonly group: string;
  readonly decimal: string;
  /**
   * The least number of digits in a group that is neither the first nor the last: three, in Hindi
   * two (12,34,567).
   */
  readonly groupDigits: number;
  /** Says on which side the language writes a currency's symbol. */
  readonly symbolSide: 'before' | 'after';
  /** Says whether a sign ($) before the number also keeps a distance from it. */
  readonly isSymbolSpaced: boolean;
  /** Says whether the minus is between symbol and number. */
  readonly isMinusInside: boolean;
};

// An Intl.NumberFormat takes far longer to make than to use, and a count-up writes an amount in
// every frame.
const known = new Map<Language, NumberMarks>();

/**
 * Returns the marks of a language, always with the digits 0 to 9: in a slot an amount must be read
 * alike by the player, by support and in a screenshot, and games in Arabic and Hindi also keep
 * these digits for money.
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
  // In a text from right to left, the text after the number is on its left side: in the isolate,
  // before it.
  const isAfter = placeOf('currency') > placeOf('integer') && LANGUAGES[language]?.direction !== 'rtl';
  return {
    symbolSide: isAfter ? 'after' : 'before',
    isSymbolSpaced: placeOf('literal') === placeOf('currency') + 1,
    isMinusInside: placeOf('minusSign') > placeOf('currency'),
  };
}
