const MICROS_PER_UNIT = 1_000_000;

/**
 * Writes micros as the page does in English. It is exact for the amounts of the sample game, which
 * are whole cents.
 */
export function moneyText(micros: number, currency = 'USD'): string {
  if (micros % (MICROS_PER_UNIT / 100) !== 0) throw new Error(`${micros} micros are no whole cents`);
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  return format.format(micros / MICROS_PER_UNIT);
}
