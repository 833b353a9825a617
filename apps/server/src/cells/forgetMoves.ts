import { type Fleet, idOf } from '@roundhouse/fleet';
import { StartError } from '@roundhouse/service';
import { forgetMove, listKeptMoves, proofOfKeptRows, storedProof } from '../store/cells/cellMoves.ts';
import type { Database } from '../store/database/database.ts';
import type { OpenCell } from './checkCells.ts';

/**
 * Deletes the rows that the source has kept of players who are in other cells, after it has made
 * sure that the target took the same rows. Returns how many players and rows.
 * @param databaseOf returns the database of a cell by its name; it throws when the cell is away.
 * @throws StartError when a target cannot say so; the moves before it are forgotten.
 */
export async function forgetMoves(
  source: OpenCell,
  { fleet, operatorCode, databaseOf }: { fleet: Fleet; operatorCode: string; databaseOf: (cell: string) => Database },
): Promise<{ players: number; rows: number }> {
  const result = { players: 0, rows: 0 };
  for (const { id, externalID, target } of await listKeptMoves(source.db, operatorCode)) {
    const cell = fleet.cells.find((each) => idOf(each) === target);
    if (cell === undefined) {
      throw new StartError(`Player ${externalID} went to cell ${target}, which is not in the fleet file.`);
    }
    const [kept, taken] = await Promise.all([proofOfKeptRows(source.db, id), storedProof(databaseOf(cell.name), id)]);
    if (taken !== kept) {
      throw new StartError(
        `Cell ${cell.name} does not say that it took the rows of player ${externalID}. Nothing more is forgotten.`,
      );
    }
    result.rows += await forgetMove(source.db, id);
    result.players += 1;
  }
  return result;
}
