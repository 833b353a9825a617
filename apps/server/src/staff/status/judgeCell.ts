import { type FleetFile, idOf } from '@roundhouse/fleet';
import { counted } from '../../base/terminal/units.ts';
import type { StoredCell } from '../../store/cells/cell.ts';
import type { UnfinishedMoves } from '../../store/cells/unfinishedMoves.ts';
import type { Finding } from './finding.ts';

/** The fleet file has the database as this cell. */
export type ExpectedCell = { cell: FleetFile['cells'][number]; version: number };

/** What the database says of itself as a cell. */
type CellFacts = { stored: StoredCell | undefined; moves: readonly UnfinishedMoves[] };

/**
 * Is the database the cell that the fleet file names, with the same fleet, and has every move
 * ended?
 */
export function judgeCell({ stored, moves }: CellFacts, { cell, version }: ExpectedCell): Finding[] {
  const about = { question: 'players', cause: 'fleet', command: 'roundhouse migrate' } as const;
  if (stored === undefined) {
    return [{ ...about, id: 'no-cell', severity: 'warning', text: 'the database belongs to no fleet yet' }];
  }
  if (idOf(stored) !== idOf(cell)) {
    const text = `the database is that of the cell with number ${idOf(stored)}, and the fleet file gives number ${idOf(cell)}`;
    return [{ ...about, id: 'other-cell', severity: 'critical', question: 'money', text }];
  }
  const findings: Finding[] = [];
  if (stored.fleetVersion !== version) {
    const text = `the cell has version ${stored.fleetVersion} of the fleet, the file has ${version}`;
    findings.push({ ...about, id: 'fleet-version', severity: 'warning', text });
  }
  for (const { operator, source, target, players } of moves) {
    const between = `between the cells with numbers ${source} and ${target}`;
    const text = `${counted(players, 'player')} of ${operator} ${players === 1 ? 'is' : 'are'} ${between}`;
    findings.push({ ...about, id: 'unfinished-move', severity: 'warning', text, command: 'roundhouse cell status' });
  }
  return findings;
}
