/**
 * Characters that hide, or turn the text around them: a document may hold them to deceive its
 * reader.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
const MAX_CHARACTERS = 2000;

/** Returns the text to show: invisible characters as codes, and a long text cut. */
export function visible(text: string, maxCharacters = MAX_CHARACTERS): string {
  const start = text.slice(0, maxCharacters).replace(HIDDEN, (character) => `\\u{${hexOf(character)}}`);
  const left = text.length - maxCharacters;
  return left > 0 ? `${start} … and ${counted(left, 'more character', 'more characters')}` : start;
}

const hexOf = (character: string) => character.codePointAt(0)?.toString(16);

/** Returns an amount of micros in units with two to six decimals: 1500000 is 1.50. */
export function amountText(micros: bigint | number): string {
  const amount = BigInt(micros);
  const digits = String(amount < 0n ? -amount : amount).padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${amount < 0n ? '−' : ''}${grouped(BigInt(digits.slice(0, -6)))}.${decimals}`;
}

/** Returns a payout multiplier of hundredths: 150 is 1.50×. */
export function multiplierText(hundredths: string): string {
  const digits = hundredths.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}×`;
}

/** Returns a number with thousands separators. */
export function grouped(value: number | bigint): string {
  return value.toLocaleString('en-US');
}

/** Returns a count with its noun. */
export function counted(count: number | bigint, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 || count === 1n ? one : many}`;
}
