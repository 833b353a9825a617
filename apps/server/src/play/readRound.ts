import type { Catalogue } from '../games/catalogue.ts';
import type { Database } from '../ledger/database.ts';
import { findRound } from '../ledger/queries/rounds.ts';
import type { ShownRound } from './shownRound.ts';

/** A round that was written before, with the events of the book that it is pinned to. */
export async function readRound(
  { db, catalogue }: { db: Database; catalogue: Catalogue },
  roundID: bigint,
): Promise<ShownRound> {
  const record = await findRound(db, roundID);
  if (record === undefined) throw new Error(`round ${roundID} is not there`);
  const { gameID, gameVersion, mode, bookID } = record;
  const math = catalogue.math({ gameID, version: gameVersion, mode });
  const book = math?.find(bookID);
  if (math === undefined || book === undefined) {
    throw new Error(
      `round ${roundID} is on book ${bookID} of ${gameID}/${gameVersion} ${mode}, which this node does not have`,
    );
  }
  return { ...record, events: math.readEvents(book.position) };
}
