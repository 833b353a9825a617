/** What --dialect-settings has, as far as the operator needs it. */
export type OnewalletSettings = { casinoKey: string; apiToken: string; authToken: string };

export const METHODS = ['check', 'balance', 'debit', 'credit', 'cancel'] as const;
export type Method = (typeof METHODS)[number];

/** The protocol rounds amounts to this number of decimals. */
const MAX_DECIMALS = 2;

export function decimalsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return Math.min(MAX_DECIMALS, format.resolvedOptions().maximumFractionDigits ?? MAX_DECIMALS);
}

/**
 * Reads the number that a member has in the text of JSON. Undefined for what is not a plain decimal
 * number.
 */
export function numberIn(json: string, member: string, decimals: number): bigint | undefined {
  const found = new RegExp(`"${member}"\\s*:\\s*(-?)(\\d{1,18})(?:\\.(\\d{1,12}))?\\s*[,}]`).exec(json);
  const [, sign, whole, fraction = ''] = found ?? [];
  if (whole === undefined || /[1-9]/.test(fraction.slice(decimals))) return undefined;
  return BigInt(`${sign}${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
}
