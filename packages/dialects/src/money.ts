import {
  type CurrencyCode,
  currencySchema,
  isMicros,
  KNOWN_CURRENCY_CODES,
  type Micros,
  toMicros,
} from '@roundhouse/contract';
import { readDecimal } from '@roundhouse/wallet-check/amounts';
import * as z from 'zod';

/** A micro is 10^-6 of a unit. */
const MICRO_DECIMALS = 6;

/**
 * Writes amounts as whole numbers of 10^-decimals units, and reads them. Nothing is rounded: an
 * amount that does not fit is undefined. decimals: 0 to 12.
 */
type Scale = {
  /** The least amount, in micros: 1 when one micro fits. */
  unit: number;
  /** Writes micros as a whole number of the scale. */
  write(micros: Micros): bigint | undefined;
  /** Reads a whole number of the scale as micros. */
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

/** The largest number of decimals with which the wallet may write an amount. */
const MAX_DECIMALS = 12;

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
  /**
   * The decimals of the wallet's unit; `scale` writes and reads its whole numbers of 10^-decimals.
   */
  decimals: number;
  scale: Scale;
  /**
   * Reads what the wallet has written, the text of a number: units, or with `decimals` whole
   * numbers of 10^-decimals. It may have more decimals than the wallet takes, and be the result of
   * a calculation in binary fractions; see `readDecimal`. Undefined for anything but whole micros.
   */
  read(text: unknown, decimals?: number): Micros | undefined;
};

type WalletCurrencies = {
  currency(currency: CurrencyCode): WalletCurrency;
  currencyByCode(code: string): WalletCurrency;
};

function readMicros(text: unknown, decimals: number): Micros | undefined {
  const micros = typeof text === 'string' ? readDecimal(text, decimals) : undefined;
  return micros !== undefined && isMicros(Number(micros)) ? toMicros(micros) : undefined;
}

/** Reads cash and bonus together, since the player bets both alike. */
export function readTotal({ read }: WalletCurrency, cash: unknown, bonus: unknown): Micros | undefined {
  const [inCash, inBonus] = [read(cash), read(bonus)];
  const total = inCash === undefined || inBonus === undefined ? undefined : inCash + inBonus;
  return isMicros(total) ? total : undefined;
}

/** A currency without an entry has the same code, and the decimals that the dialect gives it. */
export function walletCurrencies(
  settings: z.output<typeof walletCurrenciesSchema>,
  decimalsOf: (code: string) => number,
): WalletCurrencies {
  const make = (currency: CurrencyCode): WalletCurrency => {
    const set = settings[currency];
    const code = set?.code ?? currency;
    const decimals = set?.decimals ?? decimalsOf(code);
    const shift = set?.shift ?? 0;
    const read = (text: unknown, written = 0) => readMicros(text, MICRO_DECIMALS + shift - written);
    return { currency, code, decimals, scale: scaleOf(decimals - shift), read };
  };
  const byCode = new Map(Object.keys(settings).map((currency) => [settings[currency]?.code ?? currency, currency]));
  const known = new Map<CurrencyCode, WalletCurrency>();
  const find = (currency: CurrencyCode): WalletCurrency => {
    const made = known.get(currency) ?? make(currency);
    known.set(currency, made);
    return made;
  };
  return { currency: find, currencyByCode: (code) => find(byCode.get(code) ?? code) };
}

const KNOWN = new Set(KNOWN_CURRENCY_CODES);

/**
 * Finds the currencies of a wallet that knows those of the contract and of its settings, and no
 * other one.
 */
export function knownCurrencies(
  settings: z.output<typeof walletCurrenciesSchema>,
  decimalsOf: (code: string) => number = decimalsOfCurrency,
) {
  const all = walletCurrencies(settings, decimalsOf);
  const codes = new Set([
    ...KNOWN,
    ...Object.keys(settings),
    ...Object.values(settings).flatMap(({ code }) => code ?? []),
  ]);
  return {
    currency: (currency: CurrencyCode) =>
      KNOWN.has(currency) || Object.hasOwn(settings, currency) ? all.currency(currency) : undefined,
    currencyByCode: (code: string) => (codes.has(code) ? all.currencyByCode(code) : undefined),
  };
}

const USUAL_DECIMALS = 2;

/**
 * Fewer decimals than the wallet takes are safe: the amounts between are refused, never rounded.
 */
export function decimalsOfCurrency(code: string): number {
  if (!KNOWN.has(code)) return USUAL_DECIMALS;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: code });
  return format.resolvedOptions().maximumFractionDigits ?? USUAL_DECIMALS;
}
