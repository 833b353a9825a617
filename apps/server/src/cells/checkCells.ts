import { type Cell, cellsOfOperator, type Fleet, idOf } from '@roundhouse/fleet';
import { StartError } from '@roundhouse/service';
import { findCell } from '../store/cells/cell.ts';
import { findOperatorInCell, type OperatorInCell } from '../store/cells/cellMoves.ts';
import type { Database } from '../store/database/database.ts';
import { findPendingMigrations } from '../store/database/migrate.ts';
import { newestServerSeed, openServerSeed } from '../store/rounds/fairSeeds.ts';

export type OpenCell = { cell: Cell; db: Database };

/** Players go from the source to the target. */
export type CellPair = { source: OpenCell; target: OpenCell };

/**
 * Both databases are what the fleet file says, in the same version, and the operator is the same in
 * both.
 * @throws StartError with the first issue
 * @throws SecretKeyError when the secrets key is not that of both databases
 */
export async function checkCells(pair: CellPair, fleet: Fleet, operatorCode: string): Promise<void> {
  for (const { cell } of [pair.source, pair.target]) {
    // The router sends requests about a player to no other cell, and reads lists of no other one.
    if (cellsOfOperator(fleet, operatorCode).some(({ name }) => name === cell.name)) continue;
    throw new StartError(
      `The fleet file places operator ${operatorCode} not in cell ${cell.name}: add a placement first.`,
    );
  }
  for (const side of [pair.source, pair.target]) await checkCell(side, fleet);
  const [here, there] = await Promise.all([
    requireOperator(pair.source, operatorCode),
    requireOperator(pair.target, operatorCode),
  ]);
  if (here.wallet !== there.wallet || here.dialect !== there.dialect) {
    throw new StartError(
      `Operator ${operatorCode} has the wallet ${here.wallet} (${here.dialect}) in cell ${pair.source.cell.name} and ` +
        `${there.wallet} (${there.dialect}) in cell ${pair.target.cell.name}: make them equal first.`,
    );
  }
}

async function checkCell({ cell, db }: OpenCell, fleet: Fleet): Promise<void> {
  const [pending] = await findPendingMigrations(db);
  if (pending !== undefined) {
    throw new StartError(`The database of cell ${cell.name} lacks ${pending}. Run \`roundhouse migrate\` first.`);
  }
  const stored = await findCell(db.pool);
  if (stored === undefined || stored.numbers[0] !== idOf(cell)) {
    const what = stored === undefined ? 'no cell' : `the cell with number ${stored.numbers[0]}`;
    throw new StartError(`The database of cell ${cell.name} says that it is ${what}, not number ${idOf(cell)}.`);
  }
  if (stored.fleetVersion !== fleet.version || stored.numbers.join() !== cell.numbers.join()) {
    throw new StartError(
      `Cell ${cell.name} has version ${stored.fleetVersion} of the fleet and the numbers ${stored.numbers.join(', ')}, ` +
        `the fleet file version ${fleet.version} and ${cell.numbers.join(', ')}. Run \`roundhouse migrate\` with this file first.`,
    );
  }
  const seed = await newestServerSeed(db);
  if (seed !== undefined) openServerSeed(db.secretKeys, seed.sealedServerSeed, seed.accountID);
}

/** Finds the operator. It also opens the secrets: the command must have the key of the cell. */
async function requireOperator({ cell, db }: OpenCell, code: string): Promise<OperatorInCell> {
  const operator = await findOperatorInCell(db, code);
  if (operator === undefined) throw new StartError(`Cell ${cell.name} has no operator ${code}.`);
  for (const secret of operator.secrets) db.secretKeys.open(secret, code);
  return operator;
}
