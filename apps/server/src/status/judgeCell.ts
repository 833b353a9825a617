import { type FleetFile, idOf } from '../fleet/fleet.ts';
import type { StoredCell } from '../ledger/queries/cell.ts';
import type { Finding } from './finding.ts';

/** The fleet file has the database as this cell. */
export type ExpectedCell = { cell: FleetFile['cells'][number]; version: number };

/** Is the database the cell that the fleet file names, with the same fleet? */
export function judgeCell(stored: StoredCell | undefined, { cell, version }: ExpectedCell): Finding[] {
  const about = { question: 'players', cause: 'fleet', command: 'roundhouse migrate' } as const;
  if (stored === undefined) {
    return [{ ...about, id: 'no-cell', severity: 'warning', text: 'the database belongs to no fleet yet' }];
  }
  if (idOf(stored) !== idOf(cell)) {
    const text = `the database is that of the cell with number ${idOf(stored)}, and the fleet file gives number ${idOf(cell)}`;
    return [{ ...about, id: 'other-cell', severity: 'critical', question: 'money', text }];
  }
  if (stored.fleetVersion === version) return [];
  const text = `the cell has version ${stored.fleetVersion} of the fleet, the file has ${version}`;
  return [{ ...about, id: 'fleet-version', severity: 'warning', text }];
}
