import { placeOfTicket, search, type TableCheck } from './checkTable.ts';
import type { FairDocument } from './document.ts';
import { hmacUnder, ticketOf } from './ticket.ts';

/** The drawn row is not in the table's `drawn`. */
export const NOWHERE = -1;
/**
 * No draw was made: there is no server seed, the table does not add up, or the round has no place.
 */
export const NOT_DRAWN = -2;

/**
 * Returns the place in `drawn` of the table, NOWHERE or NOT_DRAWN. `table` is a place in `tables`.
 */
export type DrawAs = (table: number, nonce: number, clientSeed: string) => number;

/** Draws under the server seed, from the tables whose weights add up. */
export function drawWith(serverSeed: Uint8Array, { tables }: FairDocument, checks: TableCheck[]): DrawAs {
  const hmac = hmacUnder(serverSeed);
  const weights = tables.map(({ totalWeight }) => BigInt(totalWeight));
  return (at, nonce, clientSeed) => {
    const [table, check, weight] = [tables[at], checks[at], weights[at]];
    if (!table || !check || weight === undefined || check.weight !== weight) return NOT_DRAWN;
    const { game, version, mode } = table;
    const facts = { game, version, mode, nonce, clientSeed };
    return placeOfTicket(table, check, ticketOf(hmac, facts, weight));
  };
}

/** Returns the place in `clientSeeds` of the one that holds at a nonce, or -1. */
export function partOf({ clientSeeds }: FairDocument, nonce: number): number {
  return search(clientSeeds.length, (place) => (clientSeeds[place]?.from as number) > nonce) - 1;
}
