import { CURRENCIES, type CurrencyCode, formatAmount, type Language, type Micros, toMicros } from '@roundhouse/sdk';

const MICROS_DECIMALS = 6;

/**
 * A book's amount in money: base bet × hundredths ÷ 100, in integers. The server has checked that
 * every product is whole.
 */
export function paidMicros({ betMicros, hundredths }: { betMicros: number; hundredths: number }): Micros {
  return toMicros((BigInt(betMicros) * BigInt(hundredths)) / 100n);
}

export type WriteMoney = (micros: number) => string;

export function moneyWriter(currency: CurrencyCode, language: Language): WriteMoney {
  return (micros) => formatAmount(micros, currency, { language });
}

/**
 * A value of a count-up, cut to the decimals of the currency, so that the text keeps its length.
 * The end is exact.
 */
export function countStep(
  micros: number,
  { endMicros, currency }: { endMicros: number; currency: CurrencyCode },
): Micros {
  if (micros >= endMicros) return toMicros(endMicros);
  const smallest = 10 ** (MICROS_DECIMALS - CURRENCIES[currency].decimals);
  const whole = Math.max(0, Math.floor(micros));
  return toMicros(whole - (whole % smallest));
}
