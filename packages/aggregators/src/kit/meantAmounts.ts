import { readDecimal } from '@roundhouse/wallet-check/amounts';

const MICRO_DECIMALS = 6;
/** The digits of a plain text are those that were meant. */
const UNITS = { decimals: MICRO_DECIMALS, plain: /^-?\d+(\.\d{0,6}0*)?$/ };
const MICROS = { decimals: 0, plain: /^-?\d+(\.0*)?$/ };
const AMOUNTS: Readonly<Record<string, typeof UNITS>> = { balance: UNITS, cash: UNITS, bonus: UNITS, amount: MICROS };

/**
 * Returns a response with its amounts as the server reads them: those that a wallet has calculated
 * in binary fractions are the decimals that were meant. Every other text stays as it is.
 */
export function withMeantAmounts(body: string): string {
  let isChanged = false;
  const read = (member: string, value: unknown): unknown => {
    const text = String(value);
    const amount = Object.hasOwn(AMOUNTS, member) ? AMOUNTS[member] : undefined;
    if (amount === undefined || amount.plain.test(text)) return value;
    const whole = readDecimal(text, amount.decimals);
    if (whole === undefined) return value;
    isChanged = true;
    const meant = textOf(whole, amount.decimals);
    return typeof value === 'number' ? Number(meant) : meant;
  };
  try {
    const meant = JSON.parse(body, read);
    return isChanged ? JSON.stringify(meant) : body;
  } catch {
    return body;
  }
}

function textOf(whole: bigint, decimals: number): string {
  if (decimals === 0) return String(whole);
  const digits = String(whole < 0n ? -whole : whole).padStart(decimals + 1, '0');
  const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '');
  return whole < 0n ? `-${text}` : text;
}
