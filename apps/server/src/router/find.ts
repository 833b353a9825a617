import {
  type Cell,
  candidatesOf,
  cellNumberOf,
  cellNumberOfSession,
  cellOfNumber,
  cellsOfOperator,
  type Fleet,
  homeOf,
} from '@roundhouse/fleet';
import { rowIDOf } from '../base/http/cursor.ts';

/** A request names this. The router checks nothing of it: the cells do. */
export type Named = {
  fleet: Fleet;
  /** It is undefined in requests of games. */
  operator: string | undefined;
  params: Readonly<Record<string, string | undefined>>;
  /** A parameter that is there twice is a list. */
  query: Readonly<Record<string, unknown>>;
  /** The members of a JSON object; undefined when the body is not an object. */
  body: Readonly<Record<string, unknown>> | undefined;
};

/**
 * The router sends the request to cells in this order, to each once. misdirected: a cell that
 * refuses the request names the next one. unknown: a cell that does not have the thing (404) also
 * passes the turn on. The first one that does neither serves the request.
 */
export type Turns = { kind: 'turns'; cells: readonly Cell[]; passOn: 'misdirected' | 'unknown' };

type Found = Turns | { kind: 'refused'; message: string };

export type Finder = (named: Named) => Found;

/** Any cell can respond: all have the same games. */
export const anyCell: Finder = (named) => turns(cellsOf(named), 'misdirected');

/**
 * A cell that has the player serves the request; when none has, the newest one makes the player.
 */
export const byPlayer: Finder = (named) => ofPlayer(named, named.params.playerID);

/** Finds the cells for a list of one player. Undefined if the list is of all players. */
export const byQueriedPlayer = (named: Named): Turns | undefined =>
  typeof named.query.playerID === 'string' ? ofPlayer(named, named.query.playerID) : undefined;

/**
 * Without a player, a launch goes to the home of the operator. Without a home any cell says that it
 * needs a player, to those who can sign.
 */
export const byLaunch: Finder = (named) => {
  const { playerID } = named.body ?? {};
  if (playerID !== undefined) return ofPlayer(named, playerID);
  const home = homeOf(named.fleet, named.operator ?? '');
  return home === undefined ? anyCell(named) : turns([home], 'misdirected');
};

/** Sessions end by player or by sessionID. */
export const bySessionEnd: Finder = (named) => {
  const { playerID, sessionID } = named.body ?? {};
  return playerID === undefined ? ofSession(named, sessionID) : ofPlayer(named, playerID);
};

export const bySession: Finder = (named) => ofSession(named, named.params.sessionID);

/** The cell that has made the betID comes first, the others have it when its player has moved. */
export const byBet: Finder = (named) => {
  const betID = rowIDOf(named.params.betID ?? '');
  return turns(startingWith(named, betID === undefined ? undefined : cellNumberOf(betID)), 'unknown');
};

/** Grants have ids of the operator, which name no cell. */
export const byGrant: Finder = (named) => turns(cellsOf(named), 'unknown');

/** A cell refuses grants for players of several cells, so the first player finds it. */
export const byFirstPlayer: Finder = (named) => {
  const { grants } = named.body ?? {};
  const [first] = Array.isArray(grants) ? grants : [];
  return ofPlayer(named, (first as { playerID?: unknown } | null | undefined)?.playerID);
};

/**
 * A game of a session that a cell has launched goes there. Any other session is at home in the cell
 * that its operator names for it.
 */
export const byGameSession: Finder = ({ fleet, body }) => {
  const { sessionID } = body ?? {};
  const text = typeof sessionID === 'string' ? sessionID : '';
  const number = cellNumberOfSession(text);
  const cell = number === undefined ? undefined : cellOfNumber(fleet, number);
  if (cell !== undefined) return turns([cell], 'misdirected');
  const colon = text.indexOf(':');
  const home = colon < 0 ? undefined : homeOf(fleet, text.slice(0, colon));
  if (home !== undefined) return turns([home], 'misdirected');
  return refused('sessionID: names no cell, and its operator has no home cell: use the rgs_url of the launch URL');
};

function ofPlayer(named: Named, playerID: unknown): Turns {
  if (typeof playerID !== 'string') return turns(cellsOf(named), 'misdirected');
  return turns(candidatesOf(named.fleet, { operator: named.operator ?? '', playerID }), 'misdirected');
}

function ofSession(named: Named, sessionID: unknown): Found {
  if (typeof sessionID !== 'string') return anyCell(named);
  return turns(startingWith(named, cellNumberOfSession(sessionID)), 'unknown');
}

/** Returns the cells of the operator; those of the whole fleet when the request has none. */
export function cellsOf({ fleet, operator }: Pick<Named, 'fleet' | 'operator'>): readonly Cell[] {
  return operator === undefined ? fleet.cells : cellsOfOperator(fleet, operator);
}

function startingWith(named: Named, number: number | undefined): readonly Cell[] {
  const cells = cellsOf(named);
  const first = number === undefined ? undefined : cells.find(({ numbers }) => numbers.includes(number));
  return first === undefined ? cells : [first, ...cells.filter((cell) => cell !== first)];
}

function turns(cells: readonly Cell[], passOn: Turns['passOn']): Turns {
  return { kind: 'turns', cells, passOn };
}

function refused(message: string): Found {
  return { kind: 'refused', message };
}
