/** Lists the supported currencies, regular and then social. */
export const CURRENCY_CODES = [
  'USD',
  'CAD',
  'JPY',
  'EUR',
  'RUB',
  'CNY',
  'PHP',
  'INR',
  'IDR',
  'KRW',
  'BRL',
  'MXN',
  'DKK',
  'PLN',
  'VND',
  'TRY',
  'CLP',
  'ARS',
  'PEN',
  'XGC',
  'XSC',
] as const;

export type ListedCurrency = (typeof CURRENCY_CODES)[number];

/**
 * It is one of the 21 codes, of ISO 4217, or of a currency that the server configures: two to nine
 * capitals and digits after a capital. The server says which ones it knows.
 */
export type CurrencyCode = ListedCurrency | (string & {});

/** Every code looks like this. Whether a server knows it is another question. */
export const CURRENCY_CODE = /^[A-Z][A-Z0-9]{2,9}$/;

/** Says how a currency is shown. Amounts on the wire have six decimals in every currency. */
export type CurrencyFacts = {
  readonly kind: 'regular' | 'social';
  readonly symbol: string;
  /**
   * The number of decimal places with which prices in this currency are usually written, 0 to 8.
   */
  readonly decimals: number;
  /**
   * A language that writes every symbol behind the number writes this one there, too, whatever its
   * side here.
   */
  readonly symbolSide: 'before' | 'after';
  /**
   * The number of units of the wire in one unit that is shown: a power of ten, by default 1. 100
   * makes a micro the hundred-millionth part of a bitcoin.
   */
  readonly wireUnitsPerUnit?: number | undefined;
};

/** A currency of the server's own settings, as `config.currency` of authenticate has it. */
export type ConfiguredCurrency = CurrencyFacts & { readonly code: string };

const WIRE_DECIMALS = 6;

/**
 * No two of the 21 share a symbol: only the US dollar is a bare `$`, and the yuan has another sign
 * than the yen. Decimals are those of prices as people see them. For JPY, KRW, VND and CLP that is
 * what ISO 4217 says. ISO 4217 gives the rupiah two decimals, but the sen has been out of use for
 * decades and prices have none.
 */
export const CURRENCIES: Readonly<Record<ListedCurrency, CurrencyFacts>> = {
  USD: { kind: 'regular', symbol: '$', decimals: 2, symbolSide: 'before' },
  CAD: { kind: 'regular', symbol: 'CA$', decimals: 2, symbolSide: 'before' },
  JPY: { kind: 'regular', symbol: '¥', decimals: 0, symbolSide: 'before' },
  EUR: { kind: 'regular', symbol: '€', decimals: 2, symbolSide: 'before' },
  RUB: { kind: 'regular', symbol: '₽', decimals: 2, symbolSide: 'after' },
  CNY: { kind: 'regular', symbol: 'CN¥', decimals: 2, symbolSide: 'before' },
  PHP: { kind: 'regular', symbol: '₱', decimals: 2, symbolSide: 'before' },
  INR: { kind: 'regular', symbol: '₹', decimals: 2, symbolSide: 'before' },
  IDR: { kind: 'regular', symbol: 'Rp', decimals: 0, symbolSide: 'before' },
  KRW: { kind: 'regular', symbol: '₩', decimals: 0, symbolSide: 'before' },
  BRL: { kind: 'regular', symbol: 'R$', decimals: 2, symbolSide: 'before' },
  MXN: { kind: 'regular', symbol: 'MX$', decimals: 2, symbolSide: 'before' },
  DKK: { kind: 'regular', symbol: 'kr', decimals: 2, symbolSide: 'after' },
  PLN: { kind: 'regular', symbol: 'zł', decimals: 2, symbolSide: 'after' },
  VND: { kind: 'regular', symbol: '₫', decimals: 0, symbolSide: 'after' },
  TRY: { kind: 'regular', symbol: '₺', decimals: 2, symbolSide: 'before' },
  CLP: { kind: 'regular', symbol: 'CLP$', decimals: 0, symbolSide: 'before' },
  ARS: { kind: 'regular', symbol: 'ARS$', decimals: 2, symbolSide: 'before' },
  PEN: { kind: 'regular', symbol: 'S/', decimals: 2, symbolSide: 'before' },
  XGC: { kind: 'social', symbol: 'GC', decimals: 2, symbolSide: 'after' },
  XSC: { kind: 'social', symbol: 'SC', decimals: 2, symbolSide: 'after' },
};

/** These currencies of ISO 4217 are not among the 21 and do not have two decimals. */
const OTHER_DECIMALS: ReadonlyMap<string, number> = new Map([
  ...'BIF DJF GNF ISK KMF PYG RWF UGX VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);
const TWO_DECIMALS = 2;

/** Returns whether a text looks like the code of a currency, exactly as written. */
export function isCurrencyCode(value: unknown): value is CurrencyCode {
  return typeof value === 'string' && CURRENCY_CODE.test(value);
}

const configured = new Map<string, ConfiguredCurrency>();
const symbols = new Map<string, string>();

/**
 * Makes the facts of a configured currency known to this page, so that only its code has to be
 * passed on.
 */
export function learnCurrency(currency: ConfiguredCurrency): void {
  configured.set(currency.code, currency);
}

/** Returns whether {@link learnCurrency} has made it known. */
export function isLearnedCurrency(code: CurrencyCode): boolean {
  return configured.has(code);
}

/**
 * Returns how a currency is shown: the 21 as {@link CURRENCIES} has them, a configured one as it
 * was learned, and any other with the decimals of ISO 4217 and the symbol of the language; its code
 * where there is none.
 */
export function currencyFacts(code: CurrencyCode, language: Language = DEFAULT_LANGUAGE): CurrencyFacts {
  if (Object.hasOwn(CURRENCIES, code)) return CURRENCIES[code as ListedCurrency];
  const decimals = OTHER_DECIMALS.get(code) ?? TWO_DECIMALS;
  return configured.get(code) ?? { kind: 'regular', symbol: symbolOf(code, language), decimals, symbolSide: 'before' };
}

/**
 * Returns how many decimals of the unit that is shown a micro has: 6, or more when the unit is
 * larger.
 */
export function decimalsOfMicros({ wireUnitsPerUnit = 1 }: Pick<CurrencyFacts, 'wireUnitsPerUnit'>): number {
  return WIRE_DECIMALS + String(wireUnitsPerUnit).length - 1;
}

function symbolOf(code: string, language: Language): string {
  const key = `${language} ${code}`;
  let symbol = symbols.get(key);
  if (symbol === undefined) {
    symbol = readSymbol(code, language);
    symbols.set(key, symbol);
  }
  return symbol;
}

function readSymbol(code: string, language: Language): string {
  // Intl takes codes of three letters only.
  if (!/^[A-Z]{3}$/.test(code)) return code;
  const parts = new Intl.NumberFormat(language, { style: 'currency', currency: code }).formatToParts(0);
  const symbol = parts.find(({ type }) => type === 'currency')?.value ?? code;
  return symbol.replace(/[\s\p{C}]/gu, '');
}

/** Lists languages with name and writing direction: those of the protocol, and extra ones. */
export const LANGUAGES = {
  ar: { name: 'Arabic', direction: 'rtl' },
  cs: { name: 'Czech', direction: 'ltr' },
  da: { name: 'Danish', direction: 'ltr' },
  de: { name: 'German', direction: 'ltr' },
  el: { name: 'Greek', direction: 'ltr' },
  en: { name: 'English', direction: 'ltr' },
  es: { name: 'Spanish', direction: 'ltr' },
  fi: { name: 'Finnish', direction: 'ltr' },
  fr: { name: 'French', direction: 'ltr' },
  hi: { name: 'Hindi', direction: 'ltr' },
  id: { name: 'Indonesian', direction: 'ltr' },
  it: { name: 'Italian', direction: 'ltr' },
  ja: { name: 'Japanese', direction: 'ltr' },
  ko: { name: 'Korean', direction: 'ltr' },
  nl: { name: 'Dutch', direction: 'ltr' },
  no: { name: 'Norwegian', direction: 'ltr' },
  pl: { name: 'Polish', direction: 'ltr' },
  pt: { name: 'Portuguese', direction: 'ltr' },
  ro: { name: 'Romanian', direction: 'ltr' },
  ru: { name: 'Russian', direction: 'ltr' },
  sv: { name: 'Swedish', direction: 'ltr' },
  tr: { name: 'Turkish', direction: 'ltr' },
  vi: { name: 'Vietnamese', direction: 'ltr' },
  zh: { name: 'Chinese', direction: 'ltr' },
} as const satisfies Record<string, { name: string; direction: 'ltr' | 'rtl' }>;

export type Language = keyof typeof LANGUAGES;

/** These come beside the 16 of the protocol, for launches of operators that name them. */
export const EXTRA_LANGUAGES: readonly Language[] = ['cs', 'da', 'el', 'it', 'nl', 'no', 'ro', 'sv'];

export const DEFAULT_LANGUAGE: Language = 'en';

/** Returns whether a text is one of the languages, exactly as written. */
export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(LANGUAGES, value);
}

/**
 * Maps what launches send in place of the code of a language: codes of countries (`br` for Brazil),
 * slips (`po`), other codes of the same language (`nb`, and `in`, Indonesian until 1989). None of
 * them is the code of a language in {@link LANGUAGES}.
 */
export const LANGUAGE_ALIASES: Readonly<Record<string, Language>> = {
  br: 'pt',
  cn: 'zh',
  cz: 'cs',
  dk: 'da',
  gr: 'el',
  in: 'id',
  jp: 'ja',
  kr: 'ko',
  nb: 'no',
  nn: 'no',
  po: 'pl',
  sp: 'es',
  tw: 'zh',
  vn: 'vi',
};

/**
 * Returns the language of a launch parameter. Case and region do not matter (`pt-BR`, `zh_CN`, ` EN
 * `), and common slips are read as {@link LANGUAGE_ALIASES} says. Anything unknown or missing is
 * English.
 */
export function toLanguage(value: string | null | undefined): Language {
  const primary = (value ?? '').trim().toLowerCase().split(/[-_]/, 1)[0] ?? '';
  // A property of the prototype is not a language either.
  const code = LANGUAGE_ALIASES[primary] ?? primary;
  return isLanguage(code) ? code : DEFAULT_LANGUAGE;
}

/**
 * Does the same for a launch: an extra language that is not switched on is English. See {@link
 * toLanguage}.
 */
export function toLaunchLanguage(value: string | null | undefined, extras: readonly string[]): Language {
  const language = toLanguage(value);
  return EXTRA_LANGUAGES.includes(language) && !extras.includes(language) ? DEFAULT_LANGUAGE : language;
}

/** The devices a game can be launched for. */
export const DEVICES = ['mobile', 'desktop'] as const;

export type Device = (typeof DEVICES)[number];

/**
 * Returns the device that a launch parameter names, whatever its case; anything unknown or missing
 * is a desktop.
 */
export function toDevice(value: string | null | undefined): Device {
  return (value ?? '').trim().toLowerCase() === 'mobile' ? 'mobile' : 'desktop';
}
