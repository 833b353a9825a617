const WHOLE_NUMBER = /^[1-9]\d{0,15}$/;

/** The round that a betID names, or undefined when it can be none. */
export function roundIDOf(text: string): bigint | undefined {
  return WHOLE_NUMBER.test(text) && Number.isSafeInteger(Number(text)) ? BigInt(text) : undefined;
}

/** Where a page of rounds has ended, as a text that callers hand back and do not read. */
export function roundCursor(roundID: bigint): string {
  return Buffer.from(String(roundID)).toString('base64url');
}

/** Undefined for a text that `roundCursor` has not written. */
export function roundIDOfCursor(cursor: string): bigint | undefined {
  const roundID = roundIDOf(Buffer.from(cursor, 'base64url').toString('latin1'));
  return roundID !== undefined && roundCursor(roundID) === cursor ? roundID : undefined;
}
