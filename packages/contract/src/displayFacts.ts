/** The supported currencies, regular and then social. */
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

export type CurrencyCode = (typeof CURRENCY_CODES)[number];

/**
 * How a currency is shown. Display only: amounts on the wire have six decimals in every currency.
 */
export type CurrencyFacts = {
  readonly kind: 'regular' | 'social';
  readonly symbol: string;
  /** Decimal places that prices in this currency are usually written with. */
  readonly decimals: number;
  readonly symbolSide: 'before' | 'after';
};

/**
 * No two of the 21 share a symbol: only the US dollar is a bare `$`, and the yuan has another sign
 * than the yen. Decimals are those of prices as people see them. For JPY, KRW, VND and CLP that is
 * what ISO 4217 says. ISO 4217 gives the rupiah two decimals, but the sen has been out of use for
 * decades and prices have none.
 */
export const CURRENCIES: Readonly<Record<CurrencyCode, CurrencyFacts>> = {
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

/** Whether a text is a supported code, exactly as written. */
export function isCurrencyCode(value: unknown): value is CurrencyCode {
  return (CURRENCY_CODES as readonly unknown[]).includes(value);
}

/** The supported display languages with their name and writing direction. */
export const LANGUAGES = {
  ar: { name: 'Arabic', direction: 'rtl' },
  de: { name: 'German', direction: 'ltr' },
  en: { name: 'English', direction: 'ltr' },
  es: { name: 'Spanish', direction: 'ltr' },
  fi: { name: 'Finnish', direction: 'ltr' },
  fr: { name: 'French', direction: 'ltr' },
  hi: { name: 'Hindi', direction: 'ltr' },
  id: { name: 'Indonesian', direction: 'ltr' },
  ja: { name: 'Japanese', direction: 'ltr' },
  ko: { name: 'Korean', direction: 'ltr' },
  pl: { name: 'Polish', direction: 'ltr' },
  pt: { name: 'Portuguese', direction: 'ltr' },
  ru: { name: 'Russian', direction: 'ltr' },
  tr: { name: 'Turkish', direction: 'ltr' },
  vi: { name: 'Vietnamese', direction: 'ltr' },
  zh: { name: 'Chinese', direction: 'ltr' },
} as const satisfies Record<string, { name: string; direction: 'ltr' | 'rtl' }>;

export type Language = keyof typeof LANGUAGES;

export const DEFAULT_LANGUAGE: Language = 'en';

/** Whether a text is a supported language, exactly as written. */
export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(LANGUAGES, value);
}

/**
 * The language of a launch parameter. Case and region do not matter (`pt-BR`, `zh_CN`, ` EN `).
 * `br`, which some lobbies send for Brazil, is Portuguese. Anything unknown or missing is English.
 */
export function toLanguage(value: string | null | undefined): Language {
  const primary = (value ?? '').trim().toLowerCase().split(/[-_]/, 1)[0];
  if (primary === 'br') return 'pt';
  return isLanguage(primary) ? primary : DEFAULT_LANGUAGE;
}

/** The devices a game can be launched for. */
export const DEVICES = ['mobile', 'desktop'] as const;

export type Device = (typeof DEVICES)[number];

/**
 * The device that a launch parameter names, whatever its case; anything unknown or missing is a
 * desktop.
 */
export function toDevice(value: string | null | undefined): Device {
  return (value ?? '').trim().toLowerCase() === 'mobile' ? 'mobile' : 'desktop';
}
