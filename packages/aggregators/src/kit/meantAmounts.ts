import { readDecimal } from '@roundhouse/wallet-check/amounts';

const AMOUNTS = ['balance', 'cash', 'bonus'];
const MICRO_DECIMALS = 6;
/** Its digits are those that were meant. */
const PLAIN = /^-?\d+(\.\d{0,6}0*)?$/;

/**
 * Returns a response with its amounts as the server reads them: those that a wallet has calculated
 * in binary fractions are the decimals that were meant. Every other text stays as it is.
 */
export function withMeantAmounts(body: string): string {
  let isChanged = false;
  const read = (member: string, value: unknown): unknown => {
    const text = String(value);
    if (!AMOUNTS.includes(member) || PLAIN.test(text)) return value;
    const micros = readDecimal(text, MICRO_DECIMALS);
    if (micros === undefined) return value;
    isChanged = true;
    const meant = textOf(micros);
    return typeof value === 'number' ? Number(meant) : meant;
  };
  try {
    const meant = JSON.parse(body, read);
    return isChanged ? JSON.stringify(meant) : body;
  } catch {
    return body;
  }
}

function textOf(micros: bigint): string {
  const digits = String(micros < 0n ? -micros : micros).padStart(MICRO_DECIMALS + 1, '0');
  const text = `${digits.slice(0, -MICRO_DECIMALS)}.${digits.slice(-MICRO_DECIMALS)}`.replace(/\.?0+$/, '');
  return micros < 0n ? `-${text}` : text;
}
