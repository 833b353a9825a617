import { StartError } from '@roundhouse/service';
import { type Fleet, idOf } from '../fleet/fleet.ts';
import { forgetMove, listKeptMoves, proofOfKeptRows, storedProof } from '../ledger/queries/cellMoves.ts';
import type { OpenCell } from './checkCells.ts';

/**
 * Deletes the rows that the source has kept of players who are in other cells, after it has made
 * sure that the target took the same rows. Returns how many players and rows.
 * @throws StartError when a target cannot say so; the moves before it are forgotten.
 */
export async function forgetMoves(
  source: OpenCell,
  { fleet, operatorCode, others }: { fleet: Fleet; operatorCode: string; others: readonly OpenCell[] },
): Promise<{ players: number; rows: number }> {
  const result = { players: 0, rows: 0 };
  for (const { id, externalID, target } of await listKeptMoves(source.db, operatorCode)) {
    const cell = others.find((other) => idOf(other.cell) === target);
    if (cell === undefined) {
      const name = fleet.cells.find((each) => idOf(each) === target)?.name ?? target;
      throw new StartError(`Player ${externalID} went to cell ${name}, which is not in the fleet file.`);
    }
    const [kept, taken] = await Promise.all([proofOfKeptRows(source.db, id), storedProof(cell.db, id)]);
    if (taken !== kept) {
      throw new StartError(
        `Cell ${cell.cell.name} does not say that it took the rows of player ${externalID}. Nothing more is forgotten.`,
      );
    }
    result.rows += await forgetMove(source.db, id);
    result.players += 1;
  }
  return result;
}
