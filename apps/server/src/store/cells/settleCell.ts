import { type Cell, cellOfNumber, type Fleet, findSuccessionIssues, idOf, idRangeOf } from '@roundhouse/fleet';
import { openClient } from '@roundhouse/service';
import type { Client, ClientBase } from 'pg';
import { MIGRATE_LOCK } from '../database/migrate.ts';
import {
  findCell,
  findIdNumbers,
  findIdSequences,
  type IdSequence,
  type StoredCell,
  setIdRange,
  storeCell,
} from './cell.ts';

/** The database must not become this cell; nothing has changed. */
export class CellError extends Error {
  override name = 'CellError';
}

export type SettleOptions = {
  /** The database is migrated. */
  url: string;
  fleet: Fleet;
  /** The database is this cell of the fleet. */
  cell: Cell;
  /** The event of the change has this actor; without one it names the role of the database. */
  actor?: string;
};

export type SettledCell = {
  /** The database has stored a fleet that it had not. */
  isStored: boolean;
  /** The sequences that give ids of another range now. */
  sequences: string[];
};

/**
 * Makes a database a cell, or gives a cell its next fleet: stores the fleet, and lets the ids of
 * new rows be those of the cell's last number. All in one transaction; repeated, it changes
 * nothing.
 * @throws CellError when the fleet cannot follow the stored one, when the database is another cell,
 * or when its ids are not those of the cell
 */
export async function settleCell({ url, fleet, cell, actor }: SettleOptions): Promise<SettledCell> {
  const client = await openClient(url);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATE_LOCK]);
    await client.query('BEGIN');
    await client.query("SELECT set_config('roundhouse.actor', $1, true)", [actor ?? '']);
    const settled = await settleIn(client, { fleet, cell });
    await client.query('COMMIT');
    return settled;
  } finally {
    // This ends the session, and with it the lock and a transaction that has failed.
    await client.end();
  }
}

/**
 * Checks what settleCell requires of the stored fleet and of the ids of rows, and changes nothing.
 * @throws CellError
 */
export async function requireCell({ url, fleet, cell }: Omit<SettleOptions, 'actor'>): Promise<void> {
  const client = await openClient(url);
  try {
    const stored = await findCell(client);
    if (stored !== undefined) requireSuccession(stored, { fleet, cell });
    await requireOwnIds(client, { stored, fleet, cell });
  } finally {
    await client.end();
  }
}

async function settleIn(client: Client, { fleet, cell }: Wanted): Promise<SettledCell> {
  const stored = await findCell(client);
  // A player that a node of no fleet is creating now is there before the fleet is. Later ones are
  // created by the fleet.
  if (stored === undefined) await client.query('LOCK TABLE players IN SHARE ROW EXCLUSIVE MODE');
  if (stored !== undefined) requireSuccession(stored, { fleet, cell });
  await requireOwnIds(client, { stored, fleet, cell });
  const sequences: string[] = [];
  for (const sequence of await findIdSequences(client)) {
    if (await moveOn(client, sequence, cell)) sequences.push(sequence.name);
  }
  const isStored = stored?.fleetVersion !== fleet.version;
  if (isStored) await storeCell(client, { numbers: cell.numbers, fleetVersion: fleet.version, fleet });
  return { isStored, sequences };
}

type Wanted = { fleet: Fleet; cell: Cell };

/**
 * @throws CellError when the database is another cell, or when the fleet cannot follow the stored
 * one
 */
export function requireSuccession(stored: StoredCell, { fleet, cell }: Wanted): void {
  const id = idOf(stored);
  const name = cellOfNumber(stored.fleet, id)?.name;
  if (id !== idOf(cell)) {
    throw new CellError(
      `The fleet file has this database as cell ${cell.name} with number ${idOf(cell)}, but it is cell ${name} with number ${id}.`,
    );
  }
  const issues = findSuccessionIssues(stored.fleet, fleet);
  if (issues.length === 0) return;
  const lines = issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw new CellError(
    [
      `Cell ${name} has version ${stored.fleetVersion} of the fleet, and version ${fleet.version} cannot follow it:`,
      ...lines,
    ].join('\n'),
  );
}

/**
 * Ids of other cells are those of players that have moved here.
 * @throws CellError if they cannot be any of these
 */
export async function requireOwnIds(
  client: Pick<ClientBase, 'query'>,
  { stored, fleet, cell }: Wanted & { stored: StoredCell | undefined },
): Promise<void> {
  const newest = cell.numbers.at(-1) as number;
  for (const { table, number } of await findIdNumbers(client)) {
    if (number === 0 || cell.numbers.includes(number)) continue;
    const found = `Cell ${cell.name} has numbers ${cell.numbers.join(', ')}, and ids of number ${number} in ${table}`;
    const owner = cellOfNumber(fleet, number);
    if (owner === undefined) throw new CellError(`${found}: no cell of the fleet has that number.`);
    if (stored === undefined) {
      throw new CellError(`${found}, which is cell ${owner.name}, but the database has been no cell before.`);
    }
    if (number > newest) throw new CellError(`${found}: give the cell a number above ${number}, as its last one.`);
  }
}

/** Ids only go up. Returns whether the sequence has changed. */
async function moveOn(client: Client, sequence: IdSequence, cell: Cell): Promise<boolean> {
  const { table, start, min, max, next } = sequence;
  const number = cell.numbers.at(-1) as number;
  const { first, last } = idRangeOf(number);
  if (next > last + 1n) {
    throw new CellError(
      `Cell ${cell.name} cannot make ids of number ${number}: the next id of ${table} is ${next}, above all of that number.`,
    );
  }
  if (next >= first && start === first && min === first && max === last) return false;
  await setIdRange(client, sequence, { first, last });
  return true;
}
