import { randomUUID } from 'node:crypto';
import { cellNumberOf, type Fleet, idOf } from '@roundhouse/fleet';
import { StartError } from '@roundhouse/service';
import {
  type CellMove,
  findMissingGames,
  hasOtherOldPlayers,
  highestIDOf,
  listGamesOfPlayers,
  listMovablePlayers,
  listMoves,
  lockMoves,
  type MovablePlayer,
  statesOfMoves,
  unlockMoves,
  unstagePlayer,
} from '../store/cells/cellMoves.ts';
import { numberText } from '../store/cells/movedRows.ts';
import { type CellPair, checkCells } from './checkCells.ts';
import { type MoveDeps, type MoveFailpoint, movePlayer, undoMove } from './movePlayer.ts';

export type MoveRun = CellPair & {
  fleet: Fleet;
  operatorCode: string;
  /**
   * Only these players move, by the operator's ids. If left out, all players of the source move.
   */
  externalIDs?: readonly string[] | undefined;
  waitMs: number;
  completes: boolean;
  signal?: AbortSignal | undefined;
  onProgress?: (progress: MoveProgress) => void;
  failpoint?: (name: MoveFailpoint) => void;
};

export type MoveProgress = { moved: number; left: number; players: number };

/** left: these players stay at the source, and why. */
export type MoveResult = { moved: number; left: { externalID: string; why: string }[] };

/** The number of players who are closed at the same time. Each plays on once it is moved. */
const PLAYERS_AT_ONCE = 20;

/**
 * Moves players from one cell to another, and goes on with those that an earlier run has left half
 * way. The command makes all refusals that concern every player before it closes the first one.
 * @throws StartError with the reason why they cannot be moved
 */
export async function movePlayers(run: MoveRun): Promise<MoveResult> {
  return withLock(run, async () => {
    const { source, target, fleet, operatorCode, failpoint = () => {} } = run;
    await checkCells(run, fleet, operatorCode);
    await clearTarget(run);
    const moves = await findWork(run);
    const lastNumber = target.cell.numbers.at(-1) as number;
    // After an error nobody waits for players any longer.
    const failed = new AbortController();
    const signal = AbortSignal.any([failed.signal, ...(run.signal ? [run.signal] : [])]);
    const deps: MoveDeps = { ...run, source: source.db, target: target.db, lastNumber, failpoint, signal };
    const result: MoveResult = { moved: 0, left: [] };
    const report = () => run.onProgress?.({ moved: result.moved, left: result.left.length, players: moves.length });
    const queue = moves.values();
    const work = async () => {
      for (const move of queue) {
        if (failed.signal.aborted) return;
        // Players whose move has not begun stay.
        if (run.signal?.aborted && move.state !== 'switched') {
          result.left.push({ externalID: move.externalID, why: 'the command was stopped' });
          if (move.isBegun) await undoMove(deps, move);
          continue;
        }
        const outcome = await movePlayer(deps, move).catch((error: unknown) => {
          failed.abort();
          throw error;
        });
        if (outcome.kind === 'moved') result.moved += 1;
        else result.left.push({ externalID: move.externalID, why: outcome.why });
        report();
      }
    };
    await allSettled(Array.from({ length: PLAYERS_AT_ONCE }, work));
    return result;
  });
}

/** isBegun: an earlier run has closed the player. */
type Work = CellMove & { isBegun: boolean };

async function findWork(run: MoveRun): Promise<Work[]> {
  const { source, target, operatorCode, externalIDs } = run;
  const begun = await unfinishedMoves(run);
  const listed = await listMovablePlayers(source.db, operatorCode, externalIDs);
  const targetID = idOf(target.cell);
  requireKnown(listed, run, begun);
  const isBegun = (externalID: string) => begun.some((move) => move.externalID === externalID);
  const fresh = listed.filter(({ movedTo, externalID }) => movedTo === null && !isBegun(externalID));
  const wanted = begun.filter(({ externalID }) => externalIDs === undefined || externalIDs.includes(externalID));
  const staying = [...fresh, ...wanted.filter(({ state }) => state === 'closed')].map(({ playerID }) => playerID);
  await requireGames(run, staying);
  await requireLowerIDs(run, staying);
  await requireOneOrigin(run, staying);
  return [
    ...wanted.map((move) => ({ ...move, isBegun: true })),
    ...fresh.map(({ playerID, externalID }) => ({
      id: randomUUID(),
      playerID,
      externalID,
      source: idOf(source.cell),
      target: targetID,
      state: 'closed' as const,
      isBegun: false,
    })),
  ];
}

/** The source has begun to move these players to this target. */
async function unfinishedMoves({ source, target, operatorCode }: MoveRun): Promise<CellMove[]> {
  const moves = await listMoves(source.db, { operatorCode, states: ['closed', 'switched'] });
  return moves.filter((move) => move.target === idOf(target.cell) && move.source === idOf(source.cell));
}

function requireKnown(
  listed: readonly MovablePlayer[],
  { externalIDs, source, target }: MoveRun,
  begun: readonly CellMove[],
): void {
  const known = new Set([...listed, ...begun].map(({ externalID }) => externalID));
  const unknown = (externalIDs ?? []).filter((externalID) => !known.has(externalID));
  if (unknown.length > 0) throw new StartError(`Cell ${source.cell.name} has no player ${someOf(unknown)}.`);
  const elsewhere = listed.filter(({ movedTo }) => movedTo !== null && movedTo !== idOf(target.cell));
  if (elsewhere.length > 0) {
    const names = elsewhere.map(({ externalID, movedTo }) => `${externalID} (cell ${movedTo})`);
    throw new StartError(`Cell ${source.cell.name} has moved to other cells: ${someOf(names)}.`);
  }
}

async function requireGames({ source, target }: MoveRun, playerIDs: readonly bigint[]): Promise<void> {
  const missing = await findMissingGames(target.db, await listGamesOfPlayers(source.db, playerIDs));
  if (missing.length === 0) return;
  const names = missing.map(({ game, version }) => [game, version].filter((part) => part !== null).join(' '));
  throw new StartError(`Cell ${target.cell.name} has not published ${someOf(names)}: serve them there first.`);
}

/** A database's newer rows have higher ids, also after a move: lists and cursors rely on it. */
async function requireLowerIDs({ source, target }: MoveRun, playerIDs: readonly bigint[]): Promise<void> {
  const last = target.cell.numbers.at(-1) as number;
  if ((source.cell.numbers.at(-1) as number) < last) return;
  const number = cellNumberOf(await highestIDOf(source.db, playerIDs));
  if (number < last) return;
  throw new StartError(`Cell ${target.cell.name} cannot take these players: ${numberText(number, last)}.`);
}

/**
 * Ids from before the fleet do not say which database gave them. Ids of one database are in the
 * order of time; those of two databases are not.
 */
async function requireOneOrigin({ source, target }: MoveRun, playerIDs: readonly bigint[]): Promise<void> {
  const old = playerIDs.filter((id) => cellNumberOf(id) === 0);
  if (old.length === 0 || !(await hasOtherOldPlayers(target.db, { source: idOf(source.cell), playerIDs: old }))) return;
  throw new StartError(
    `Cell ${target.cell.name} cannot take these players: their ids date from before the fleet, and so do ids in that cell.`,
  );
}

/** Rows of moves that were undone when the command stopped are still staged. */
async function clearTarget({ source, target, operatorCode }: MoveRun): Promise<void> {
  const staged = await listMoves(target.db, { operatorCode, states: ['staged'] });
  const states = await statesOfMoves(
    source.db,
    staged.map(({ id }) => id),
  );
  for (const { id } of staged) if (states.get(id) === 'undone') await unstagePlayer(target.db, id);
}

/**
 * Leaves all players at the source that have not left it yet. Returns how many, and those that can
 * only go forward.
 */
export async function undoMoves(run: MoveRun): Promise<{ opened: number; switched: string[] }> {
  return withLock(run, async () => {
    const { source, target, externalIDs, failpoint = () => {} } = run;
    await clearTarget(run);
    const all = await unfinishedMoves(run);
    const moves = all.filter(({ externalID }) => externalIDs === undefined || externalIDs.includes(externalID));
    const result = { opened: 0, switched: [] as string[] };
    for (const move of moves) {
      if (await undoMove({ source: source.db, target: target.db, failpoint }, move)) result.opened += 1;
      else result.switched.push(move.externalID);
    }
    return result;
  });
}

/** Two commands at once would only wait for each other. */
async function withLock<Value>({ source, operatorCode }: MoveRun, work: () => Promise<Value>): Promise<Value> {
  const client = await source.db.pool.connect();
  try {
    if (!(await lockMoves(client, operatorCode))) {
      throw new StartError(`Another command moves players of ${operatorCode} out of cell ${source.cell.name} now.`);
    }
    return await work();
  } finally {
    // The next command may come at once, and PostgreSQL ends a connection a while after its client.
    await unlockMoves(client).catch(() => {});
    client.release(true);
  }
}

/** Waits until every worker has ended, also when one has failed. */
async function allSettled(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

const NAMES_IN_A_MESSAGE = 20;

function someOf(names: readonly string[]): string {
  const more = names.length - NAMES_IN_A_MESSAGE;
  return names.slice(0, NAMES_IN_A_MESSAGE).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
