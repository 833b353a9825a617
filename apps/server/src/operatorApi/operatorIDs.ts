const WHOLE_NUMBER = /^[1-9]\d{0,15}$/;

/** The round that a betID names, or undefined when it can be none. */
export function roundIDOf(text: string): bigint | undefined {
  return WHOLE_NUMBER.test(text) && Number.isSafeInteger(Number(text)) ? BigInt(text) : undefined;
}

/** Where a page has ended (a round, or an event of one), as a text that callers hand back and do not read. */
export function writeCursor(last: bigint | number): string {
  return Buffer.from(String(last)).toString('base64url');
}

/** 'none' without a cursor, undefined for a text that `writeCursor` has not written. */
export function readCursor(cursor: string | undefined): bigint | 'none' | undefined {
  if (cursor === undefined) return 'none';
  const last = roundIDOf(Buffer.from(cursor, 'base64url').toString('latin1'));
  return last !== undefined && writeCursor(last) === cursor ? last : undefined;
}
