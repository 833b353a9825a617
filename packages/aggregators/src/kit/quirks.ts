/**
 * Deviations from every protocol that real wallets have. The server reads such a response as it is
 * meant, so a check does not count them as failures, and the server's rules hold with them.
 */
export const QUIRKS = ['writes binary fractions', 'begins with a byte order mark'] as const;
export type Quirk = (typeof QUIRKS)[number];

/** Returns the body of a response as a wallet with these quirks sends it. */
export function withQuirks(body: string, quirks: ReadonlySet<Quirk>): string {
  const fractions = quirks.has('writes binary fractions') ? body.replace(AMOUNT, inBinary) : body;
  return quirks.has('begins with a byte order mark') ? `\ufeff${fractions}` : fractions;
}

const AMOUNT = /("(?:balance|cash|bonus)":(?:\{"amount":)?"?)(-?)0*(\d*)(?:\.(\d+))?(?="?[,}])/g;
/** A binary fraction that is not exactly the decimal is written with this many digits. */
const DIGITS = 16;

/** Writes 99.96 as 99.96000000000001, as PHP and JavaScript do after an addition. */
function inBinary(_amount: string, before: string, sign: string, whole: string, fraction = ''): string {
  return `${before}${sign}${whole || '0'}.${fraction.padEnd(DIGITS - 1 - whole.length, '0')}1`;
}
