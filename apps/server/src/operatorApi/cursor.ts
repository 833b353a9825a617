/** A positive whole number of JSON. */
const WHOLE_NUMBER = /^[1-9]\d{0,15}$/;

/** Reads the row that a text of a client names; undefined when it can be none. */
export function rowIDOf(text: string): bigint | undefined {
  return WHOLE_NUMBER.test(text) && Number.isSafeInteger(Number(text)) ? BigInt(text) : undefined;
}

/** Writes the last row or event of a page as a text that operators send back and do not read. */
export function writeCursor(last: bigint | number): string {
  return Buffer.from(String(last)).toString('base64url');
}

/** Returns 'none' without a cursor, undefined for a text that `writeCursor` has not written. */
export function readCursor(cursor: string | undefined): bigint | 'none' | undefined {
  if (cursor === undefined) return 'none';
  const last = rowIDOf(Buffer.from(cursor, 'base64url').toString('latin1'));
  return last !== undefined && writeCursor(last) === cursor ? last : undefined;
}
