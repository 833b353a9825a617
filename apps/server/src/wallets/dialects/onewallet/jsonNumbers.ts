/** Strings are matched first, so a number within one is none. */
const STRING_OR_NUMBER = /("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)/g;
const NUMBER = /^(-?\d{1,20})(?:\.(\d{1,20}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** Parses a JSON object with each number as the text that stands there. What is no JSON has no members. */
export function parseWithNumberTexts(text: string): Record<string, unknown> {
  try {
    // Only valid JSON is rewritten: all of its strings end.
    JSON.parse(text);
    const quoted = text.replace(STRING_OR_NUMBER, (_, string, number) => string ?? `"${number}"`);
    return { ...(JSON.parse(quoted) as object) };
  } catch {
    return {};
  }
}

/** Reads the text of a JSON number as a whole number of 10^-decimals; undefined when it is none. */
export function parseNumberText(text: string, decimals: number): bigint | undefined {
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = BigInt(whole + fraction);
  const shift = decimals - fraction.length + Number(exponent);
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return digits % divisor === 0n ? digits / divisor : undefined;
}

/** Returns JSON with the text of the member `amount` as a number. */
export function stringifyAmount(body: object): string {
  // Within a string of JSON each quotation mark has a backslash, so only the member matches.
  return JSON.stringify(body).replace(/"amount":"(\d+(?:\.\d+)?)"/, '"amount":$1');
}
