import type { RoundRecord } from '../ledger/queries/rounds.ts';

/** A round together with its book's events, the very bytes that were published. */
export type ShownRound = Omit<RoundRecord, 'gameID' | 'gameVersion' | 'bookID'> & { events: Buffer };
