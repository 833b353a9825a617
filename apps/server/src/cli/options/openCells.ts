import { NO_LIMITS, StartError } from '@roundhouse/service';
import type { OpenCell } from '../../cells/checkCells.ts';
import { cellOfName, type FleetFile } from '../../fleet/fleet.ts';
import { readFleetFile } from '../../fleet/fleetFile.ts';
import { openDatabase } from '../../ledger/database.ts';
import { secretsKeyOfEnvironment } from '../../ledger/secretKeys.ts';
import { personActor } from './withDatabase.ts';

export type CellChoice = { fleet: string; actor?: string };

const CONNECTIONS = 10;

/** Opens the databases of these cells, or of all. */
export async function withOpenCells(
  { fleet: file, actor }: CellChoice,
  names: readonly string[] | undefined,
  work: (fleet: FleetFile, cells: OpenCell[]) => Promise<void>,
): Promise<void> {
  const fleet = readFleetFile(file, process.env);
  const secretsKey = secretsKeyOfEnvironment();
  const cells = (names ?? fleet.cells.map(({ name }) => name)).map((name): OpenCell => {
    const cell = cellOfName(fleet, name);
    const url = fleet.cells.find((each) => each.name === name)?.databaseUrl;
    if (cell === undefined || url === undefined) throw new StartError(`${file} has no cell ${name}.`);
    const options = { url, connections: CONNECTIONS, limits: NO_LIMITS, actor: personActor(actor) };
    return { cell, db: openDatabase({ ...options, ...(secretsKey !== undefined && { secretsKey }) }) };
  });
  try {
    await work(fleet, cells);
  } finally {
    await Promise.all(cells.map(({ db }) => db.$disconnect()));
  }
}
