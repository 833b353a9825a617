import { type Catalogue, modeKey } from '../games/catalogue.ts';

/** A published book. payoutMultiplier in hundredths. */
export type ReplayedBook = { payoutMultiplier: bigint; costMultiplier: string; events: Buffer };

export type ReplayKey = { gameID: string; version: string; mode: string; bookID: string };

const BOOK_ID = /^(0|[1-9]\d{0,15})$/;

/** Undefined when there is no such book. Finds books of versions that are no longer served, too. */
export function replay(catalogue: Catalogue, key: ReplayKey): ReplayedBook | undefined {
  const math = catalogue.math({ ...key, mode: modeKey(key.mode) });
  const book = BOOK_ID.test(key.bookID) ? math?.find(Number(key.bookID)) : undefined;
  if (math === undefined || book === undefined) return undefined;
  return {
    payoutMultiplier: book.payoutMultiplier,
    costMultiplier: math.cost,
    events: math.readEvents(book.position),
  };
}
