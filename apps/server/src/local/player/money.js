const MICROS_DIGITS = 6;

/** Gold and sweeps coins are no ISO currencies; everyone calls them by these names. */
const SOCIAL_NAMES = { XGC: 'GC', XSC: 'SC' };

/** Integer micros as a decimal text, exact: 1500000 is "1.5". */
export function decimalOfMicros(micros) {
  const digits = String(Math.abs(micros)).padStart(MICROS_DIGITS + 1, '0');
  const fraction = digits.slice(-MICROS_DIGITS).replace(/0+$/, '');
  const whole = `${micros < 0 ? '-' : ''}${digits.slice(0, -MICROS_DIGITS)}`;
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * Writes integer micros as money of one currency. Never rounds: a fraction that the currency does not usually show is
 * shown all the same.
 */
export function moneyFormat({ language, currency }) {
  const name = SOCIAL_NAMES[currency];
  if (name !== undefined || !/^[A-Z]{3}$/.test(currency)) {
    const plain = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: MICROS_DIGITS });
    return (micros) => `${name ?? currency} ${plain.format(decimalOfMicros(micros))}`.trim();
  }
  const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' };
  const usual = new Intl.NumberFormat(language, options).resolvedOptions().minimumFractionDigits;
  const shown = { minimumFractionDigits: usual, maximumFractionDigits: MICROS_DIGITS };
  const format = new Intl.NumberFormat(language, { ...options, ...shown });
  return (micros) => format.format(decimalOfMicros(micros));
}

/** Micros times a decimal such as a mode's cost or a payout multiplier, exact. Null when it is not whole micros. */
export function timesDecimal(micros, factor) {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(String(factor));
  if (match === null) return null;
  const [, whole, fraction = ''] = match;
  const unit = 10n ** BigInt(fraction.length);
  const product = BigInt(micros) * BigInt(whole + fraction);
  return product % unit === 0n ? Number(product / unit) : null;
}

/** What an amount of a book is in money: `hundredths` of a bet in micros. Book amounts below a micro are cut off. */
export function microsOfHundredths(bet, hundredths) {
  return Number((BigInt(bet) * BigInt(hundredths)) / 100n);
}

/** Hundredths of the base bet, as books count them: 150 is "1.50×". */
export function timesOfHundredths(hundredths) {
  const whole = Math.trunc(hundredths / 100);
  return `${whole}.${String(Math.abs(hundredths % 100)).padStart(2, '0')}×`;
}
