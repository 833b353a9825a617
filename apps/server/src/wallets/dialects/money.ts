import {
  type CurrencyCode,
  currencySchema,
  isMicros,
  KNOWN_CURRENCY_CODES,
  type Micros,
  toMicros,
} from '@roundhouse/contract';
import * as z from 'zod';

/** A micro is 10^-6 of a unit. */
const MICRO_DECIMALS = 6;

/**
 * Writes amounts as whole numbers of 10^-decimals units, and reads them. Nothing is rounded: an
 * amount that does not fit is undefined. decimals: 0 to 12.
 */
export type Scale = {
  /** The least amount, in micros: 1 when one micro fits. */
  unit: number;
  /** Micros to a whole number of the scale. */
  write(micros: Micros): bigint | undefined;
  /** A whole number of the scale to micros. */
  read(value: bigint): Micros | undefined;
};

function scaleOf(decimals: number): Scale {
  const up = 10n ** BigInt(Math.max(0, decimals - MICRO_DECIMALS));
  const down = 10n ** BigInt(Math.max(0, MICRO_DECIMALS - decimals));
  return {
    unit: Number(down),
    write(micros) {
      const value = BigInt(micros);
      return value % down === 0n ? (value / down) * up : undefined;
    },
    read(value) {
      if (value % up !== 0n) return undefined;
      const micros = Number((value / up) * down);
      return isMicros(micros) ? toMicros(micros) : undefined;
    },
  };
}

/** The whole number of the scale with a decimal point: 356n with 2 decimals is 3.56. */
export function decimalText(value: bigint, decimals: number): string {
  if (decimals === 0) return String(value);
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0');
  const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return value < 0n ? `-${text}` : text;
}

const DECIMAL = /^(-?)(\d{1,20})(?:\.(\d{0,20}))?$/;

/** Reads decimal text as a whole number of the scale; undefined when it has more decimals than these. */
export function parseDecimalText(text: string, decimals: number): bigint | undefined {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const kept = fraction.slice(0, decimals).padEnd(decimals, '0');
  if (/[1-9]/.test(fraction.slice(decimals))) return undefined;
  return BigInt(`${sign}${whole}${kept}`);
}

/** A JSON number with no more digits is the text that was written. */
const CERTAIN_DIGITS = 15;

/** Reads a decimal of JSON, which is a text or a number; undefined when its digits are not certain. */
export function parseJsonDecimal(value: string | number, decimals: number): bigint | undefined {
  const text = String(value);
  const isCertain = typeof value === 'string' || text.replace(/\D/g, '').length <= CERTAIN_DIGITS;
  return isCertain ? parseDecimalText(text, decimals) : undefined;
}

/** The wallet may write an amount with so many decimals. */
export const MAX_DECIMALS = 12;

/**
 * Settings of a dialect: our currency, and how the wallet writes it. code: the wallet's code.
 * decimals: the decimal places of its amounts. shift: one unit of ours is 10^-shift of its unit, so
 * that a currency with eight decimals has whole micros here: UBTC as BTC with 8 decimals, shift 6.
 */
export const walletCurrenciesSchema = z.record(
  currencySchema,
  z.strictObject({
    code: z.string().min(1).max(16).optional(),
    decimals: z.int().min(0).max(MAX_DECIMALS).optional(),
    shift: z.int().min(0).max(MAX_DECIMALS).default(0),
  }),
);

export type WalletCurrency = {
  /** Ours. */
  currency: CurrencyCode;
  /** The wallet's. */
  code: string;
  /** Of the wallet's unit; `scale` writes and reads its whole numbers of 10^-decimals. */
  decimals: number;
  scale: Scale;
};

export type WalletCurrencies = {
  ours(currency: CurrencyCode): WalletCurrency;
  /** By the wallet's code. */
  theirs(code: string): WalletCurrency;
};

/** A currency without an entry has the same code, and the decimals that the dialect gives it. */
export function walletCurrencies(
  settings: z.output<typeof walletCurrenciesSchema>,
  decimalsOf: (code: string) => number,
): WalletCurrencies {
  const make = (currency: CurrencyCode): WalletCurrency => {
    const set = settings[currency];
    const code = set?.code ?? currency;
    const decimals = set?.decimals ?? decimalsOf(code);
    return { currency, code, decimals, scale: scaleOf(decimals - (set?.shift ?? 0)) };
  };
  const byCode = new Map(Object.keys(settings).map((currency) => [settings[currency]?.code ?? currency, currency]));
  const known = new Map<CurrencyCode, WalletCurrency>();
  const ours = (currency: CurrencyCode): WalletCurrency => {
    const made = known.get(currency) ?? make(currency);
    known.set(currency, made);
    return made;
  };
  return { ours, theirs: (code) => ours(byCode.get(code) ?? code) };
}

const KNOWN = new Set(KNOWN_CURRENCY_CODES);

/**
 * Finds the currencies of a wallet that knows those of the contract and of its settings, and no other
 * one.
 */
export function knownCurrencies(
  settings: z.output<typeof walletCurrenciesSchema>,
  decimalsOf: (code: string) => number = decimalsOfCurrency,
) {
  const { ours, theirs } = walletCurrencies(settings, decimalsOf);
  const codes = new Set([
    ...KNOWN,
    ...Object.keys(settings),
    ...Object.values(settings).flatMap(({ code }) => code ?? []),
  ]);
  return {
    currency: (currency: CurrencyCode) =>
      KNOWN.has(currency) || Object.hasOwn(settings, currency) ? ours(currency) : undefined,
    currencyByCode: (code: string) => (codes.has(code) ? theirs(code) : undefined),
    /** The wallet may write an amount with more decimals than it takes: MAX_DECIMALS. */
    readingScale: (currency: CurrencyCode) => scaleOf(MAX_DECIMALS - (settings[currency]?.shift ?? 0)),
  };
}

const USUAL_DECIMALS = 2;

/** Fewer decimals than the wallet takes are safe: the amounts between are refused, never rounded. */
export function decimalsOfCurrency(code: string): number {
  if (!KNOWN.has(code)) return USUAL_DECIMALS;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: code });
  return format.resolvedOptions().maximumFractionDigits ?? USUAL_DECIMALS;
}
