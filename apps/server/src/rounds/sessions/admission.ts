import type { Asked } from '@roundhouse/fleet';
import {
  type Cell,
  candidatesOf,
  cellsOfOperator,
  type Fleet,
  homeOf,
  idOf,
  type PlayerPlace,
  placeOf,
} from '@roundhouse/fleet';
import type { OwnCell } from '../../store/cells/fleetView.ts';
import type { Database } from '../../store/database/database.ts';
import { createPlayer, findKnownPlayers, type KnownPlayer } from '../../store/rounds/players.ts';

/** A request names this player. `asked`: these cells have refused it before. */
export type NamedPlayer = {
  operatorID: number;
  operatorCode: string;
  externalID: string;
  asked?: readonly Asked[] | undefined;
};

/**
 * other_cell: this cell does not serve the player; the cell that gets the request next has the
 * number cellID. no_cell: the fleet places the operator in no cell, or has none for this request.
 * Nothing has changed. `version` is that of the fleet which says so.
 */
export type Elsewhere = { ok: false; version: number; detail: string } & (
  | { refusal: 'other_cell'; cellID: number; cellName: string }
  | { refusal: 'no_cell' }
);

/** Tells these two from the other refusals of a launch: they carry a text and a cell. */
export function isElsewhere<Refusal extends { refusal: string }>(
  refused: Refusal,
): refused is Extract<Refusal, Elsewhere> {
  return refused.refusal === 'other_cell' || refused.refusal === 'no_cell';
}

/** How often the fleet may change while one player is created. */
const MOST_TURNS = 5;

/**
 * Returns the operator's player, created when new. Nothing else creates a single player. The row is
 * written only if the database still has this node's version of the fleet, so two cells never
 * create one player (decision 032).
 */
export async function openPlayer(
  db: Database,
  player: NamedPlayer,
): Promise<{ ok: true; playerID: bigint } | Elsewhere> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const own = turn === 0 ? await db.fleet.cell() : await db.fleet.reread();
    if (own !== undefined) {
      const [known] = await findKnownPlayers(db, player, [player.externalID]);
      const elsewhere = elsewhereOf(own, player, known);
      if (elsewhere !== undefined) return elsewhere;
      if (known !== undefined) return { ok: true, playerID: known.playerID };
    }
    const playerID = await createPlayer(db, { ...player, fleetVersion: own?.version });
    if (playerID !== undefined) return { ok: true, playerID };
  }
  throw new Error('the fleet changed at each attempt to create a player');
}

/**
 * Says whether this cell serves a request that names the player, known or not. It changes nothing.
 */
export async function findElsewhere(db: Database, player: NamedPlayer): Promise<Elsewhere | undefined> {
  const own = await db.fleet.cell();
  if (own === undefined) return undefined;
  const [known] = await findKnownPlayers(db, player, [player.externalID]);
  return elsewhereOf(own, player, known);
}

/** A request names these players, and this cell must serve all of them. */
export type NamedPlayers = Omit<NamedPlayer, 'externalID'> & { externalIDs: readonly string[] };

/** several_cells: no cell serves all of the players. Nothing has changed. */
export type PlacedPlayers =
  | { ok: true; fleetVersion: number | undefined }
  | Elsewhere
  | { ok: false; refusal: 'several_cells'; detail: string };

/**
 * Says whether this cell serves all of these players, by the version of the fleet in the result: a
 * statement that creates some of them must check that the version still holds.
 */
export async function placePlayers(db: Database, { externalIDs, ...operator }: NamedPlayers): Promise<PlacedPlayers> {
  const own = await db.fleet.cell();
  if (own === undefined) return { ok: true, fleetVersion: undefined };
  const known = new Map(
    (await findKnownPlayers(db, operator, externalIDs)).map((player) => [player.externalID, player]),
  );
  const byCell = new Map<Cell | undefined, string[]>();
  let notLast: Cell | undefined;
  for (const externalID of new Set(externalIDs)) {
    const place = placeIn(own, { ...operator, externalID }, known.get(externalID));
    if (place.kind === 'nowhere') return noCell(own, operator.operatorCode);
    const cell = place.kind === 'here' ? undefined : place.cell;
    byCell.set(cell, [...(byCell.get(cell) ?? []), externalID]);
    const key = { operator: operator.operatorCode, playerID: externalID };
    if (cell !== undefined && !known.has(externalID) && candidatesOf(own.fleet, key).at(-1) !== cell) notLast = cell;
  }
  const others = [...byCell.keys()].filter((cell) => cell !== undefined);
  const [other] = others;
  if (other === undefined) return { ok: true, fleetVersion: own.version };
  if (!byCell.has(undefined)) {
    if (others.length === 1) return otherCell(own, other, 'no player of the request is of this cell');
    // New players may all be of one cell in the end: the last one, when the earlier ones have
    // refused.
    if (notLast !== undefined) return otherCell(own, notLast, 'no player of the request is of this cell');
  }
  const lists = [...byCell].map(([cell, players]) => `${cell?.name ?? 'this cell'}: ${firstOf(players)}`);
  const detail = `the players are of several cells, so each cell needs a separate request: ${lists.join('; ')}`;
  return { ok: false, refusal: 'several_cells', detail };
}

const MOST_NAMED = 20;

function firstOf(players: readonly string[]): string {
  const named = players.slice(0, MOST_NAMED).join(', ');
  return players.length > MOST_NAMED ? `${named} and ${players.length - MOST_NAMED} more` : named;
}

/**
 * Says whether this cell serves a launch that names no player. Only the home cell of the operator
 * does: each cell has separate nonces, so a launch that several cells accepted could be sent to
 * each of them once.
 */
export async function findElsewhereOfLaunch(db: Database, operatorCode: string): Promise<Elsewhere | undefined> {
  const own = await db.fleet.cell();
  if (own === undefined) return undefined;
  const { version, fleet } = own;
  if (cellsOfOperator(fleet, operatorCode).length === 0) return noCell(own, operatorCode);
  const home = homeOf(fleet, operatorCode);
  if (home === undefined) {
    const detail = `playerID: is needed, because operator ${operatorCode} has players in several cells, and no home cell`;
    return { ok: false, refusal: 'no_cell', version, detail };
  }
  if (idOf(home) === own.cellID) return undefined;
  return otherCell(own, home, `a launch without playerID is of the home cell of operator ${operatorCode}`);
}

/**
 * Returns the next cell of the operator for a request that names something which this cell does not
 * have; undefined when all have refused.
 */
export async function findNextCell(
  db: Database,
  { operatorCode, asked }: { operatorCode: string; asked: readonly Asked[] },
): Promise<Elsewhere | undefined> {
  const own = await db.fleet.cell();
  if (own === undefined) return undefined;
  const next = cellsOfOperator(own.fleet, operatorCode).find((cell) => {
    return idOf(cell) !== own.cellID && !asked.some(({ cellID }) => cellID === idOf(cell));
  });
  return next && otherCell(own, next, 'this cell has no such thing');
}

/** Returns undefined when this cell serves the player. */
function elsewhereOf(own: OwnCell, player: NamedPlayer, known: KnownPlayer | undefined): Elsewhere | undefined {
  const { operatorCode, externalID } = player;
  const place = placeIn(own, player, known);
  if (place.kind === 'here') return undefined;
  if (place.kind === 'nowhere') return noCell(own, operatorCode);
  return otherCell(own, place.cell, `player ${externalID} is not of this cell`);
}

function placeIn(
  { cellID, version, fleet }: OwnCell,
  { operatorCode, externalID, asked = [] }: NamedPlayer,
  known: KnownPlayer | undefined,
): PlayerPlace {
  return placeOf(
    fleet,
    { operator: operatorCode, playerID: externalID },
    {
      here: cellID,
      isKnown: known !== undefined,
      movedTo: known?.movedTo ?? null,
      // A refusal by an older fleet does not count: its cell may have created the player since, by
      // a fleet that this node does not have yet.
      asked: asked.filter((each) => each.version >= version).map((each) => each.cellID),
    },
  );
}

function otherCell({ version }: Pick<OwnCell, 'version'>, cell: Cell, why: string): Elsewhere {
  const detail = `${why}: by version ${version} of the fleet, cell ${cell.name} (${idOf(cell)}) comes next`;
  return { ok: false, refusal: 'other_cell', cellID: idOf(cell), cellName: cell.name, version, detail };
}

function noCell({ version }: { version: number; fleet: Fleet }, operatorCode: string): Elsewhere {
  const detail = `version ${version} of the fleet places operator ${operatorCode} in no cell`;
  return { ok: false, refusal: 'no_cell', version, detail };
}
