import { hash } from 'node:crypto';
import { type Cell, cellOfName, type Fleet, idOf } from './fleet.ts';

export type PlayerKey = { operator: string; playerID: string };

type Placement = Fleet['placements'][number];

/**
 * Returns the placements of an operator, the earliest first. One for every operator that is not
 * named counts until a placement names the operator: before that one was added, players came there.
 */
export function placementsOf({ placements }: Fleet, operator: string): Placement[] {
  const named = placements.findIndex(({ operators }) => operators?.includes(operator));
  return placements.filter(({ operators }, at) =>
    operators === undefined ? named === -1 || at < named : operators.includes(operator),
  );
}

/** Returns all cells that may have players of the operator, in the order of its placements. */
export function cellsOfOperator(fleet: Fleet, operator: string): Cell[] {
  const names = new Set(placementsOf(fleet, operator).flatMap(({ cells }) => cells));
  return [...names].map((name) => cellOfName(fleet, name)).filter((cell) => cell !== undefined);
}

/** Returns the cell for requests of the operator that name no player. */
export function homeOf(fleet: Fleet, operator: string): Cell | undefined {
  const { home, cells = [] } = placementsOf(fleet, operator).at(-1) ?? {};
  // An operator in one cell needs no other home, unless players of its are elsewhere.
  const only = cellsOfOperator(fleet, operator).length === 1 ? cells[0] : undefined;
  const name = home ?? only;
  return name === undefined ? undefined : cellOfName(fleet, name);
}

/**
 * Returns the cells in which this player can be, by rendezvous hashing in each placement: the
 * earliest first. The last one takes the player when no cell has it. A cell that is added by a
 * placement changes nothing but the last one.
 */
export function candidatesOf(fleet: Fleet, { operator, playerID }: PlayerKey): Cell[] {
  const owners = placementsOf(fleet, operator).map(({ cells }) => {
    const [first, ...others] = cells.map((name) => cellOfName(fleet, name)).filter((cell) => cell !== undefined);
    const weightOf = (cell: Cell) => weight(idOf(cell), { operator, playerID });
    return others.reduce((best, cell) => (best && weightOf(best) >= weightOf(cell) ? best : cell), first);
  });
  const known = owners.filter((cell) => cell !== undefined);
  // The last one of duplicates stays: the newest owner is the last candidate.
  return known.filter((cell, at) => known.lastIndexOf(cell) === at);
}

/** The first 16 digits of SHA-256: texts of one length compare as their numbers do. */
function weight(cellID: number, { operator, playerID }: PlayerKey): string {
  return hash('sha256', `${cellID}:${operator}:${playerID}`, 'hex').slice(0, 16);
}

/** A cell says this about a player that a request names. */
export type PlayerHere = {
  /** The first number of the cell that decides. */
  here: number;
  isKnown: boolean;
  /** The player was moved to the cell that has this number as its first one. */
  movedTo: number | null;
  /** The first numbers of the cells that have had the request and do not have the player. */
  asked: readonly number[];
};

/**
 * here: this cell serves the request, and creates a player that no cell has. cell: another one gets
 * the request. nowhere: the fleet places the operator in no cell.
 */
export type PlayerPlace = { kind: 'here' } | { kind: 'cell'; cell: Cell } | { kind: 'nowhere' };

/**
 * Says which cell serves a request that names this player. The one cell that has the player serves
 * it. Every other one refuses, so a player is created once: by the newest owner, when all earlier
 * ones have said that they do not have the player.
 */
export function placeOf(fleet: Fleet, player: PlayerKey, { here, isKnown, movedTo, asked }: PlayerHere): PlayerPlace {
  if (movedTo !== null) {
    const cell = fleet.cells.find((each) => idOf(each) === movedTo);
    return cell === undefined ? { kind: 'nowhere' } : { kind: 'cell', cell };
  }
  if (isKnown) return { kind: 'here' };
  const candidates = candidatesOf(fleet, player);
  const newest = candidates.at(-1);
  if (newest === undefined) return { kind: 'nowhere' };
  const next = candidates.find((cell) => idOf(cell) !== here && !asked.includes(idOf(cell)));
  if (next === undefined) return idOf(newest) === here ? { kind: 'here' } : { kind: 'cell', cell: newest };
  // The newest owner comes last: it alone creates.
  return { kind: 'cell', cell: next };
}
