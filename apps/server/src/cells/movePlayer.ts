import { setTimeout as pause } from 'node:timers/promises';
import { completeRound } from '../ledger/voidAndComplete.ts';
import {
  type CellMove,
  closePlayer,
  findUnsettled,
  finishMove,
  landPlayer,
  reopenPlayer,
  switchPlayer,
  type Unsettled,
  unstagePlayer,
} from '../store/cells/cellMoves.ts';
import { MoveRefused, stagePlayer } from '../store/cells/movedRows.ts';
import type { Database } from '../store/database/database.ts';

/** A move has just done this; a test stops the process there. */
export type MoveFailpoint =
  | 'closed'
  | 'settled'
  | 'staged'
  | 'switched'
  | 'landed'
  | 'finished'
  | 'opened'
  | 'unstaged';

export type MoveDeps = {
  source: Database;
  target: Database;
  operatorCode: string;
  /** The target makes new ids with this number. */
  lastNumber: number;
  /** Time limit for settling a player's rounds and wallet transactions, in milliseconds. */
  waitMs: number;
  /** The command completes open rounds, as the server does with those that players have left. */
  completes: boolean;
  /** Ends the waiting, so that the command stops in order. */
  signal?: AbortSignal | undefined;
  failpoint: (name: MoveFailpoint) => void;
};

/** left: the player stays at the source, and why. */
export type MoveOutcome = { kind: 'moved' } | { kind: 'left'; why: string };

const POLL_MS = 250;
/** Rows may change between the copy and the switch, for example by a launch. */
const MAX_COPIES = 20;

/**
 * Moves one player, from where an earlier try has stopped. Until the switch the player stays at the
 * source, and is opened again when the move cannot go on. From the switch on it only goes forward.
 */
export async function movePlayer(deps: MoveDeps, move: CellMove): Promise<MoveOutcome> {
  if (move.state !== 'switched') {
    const closed = await closePlayer(deps.source, move);
    if (closed !== 'closed') return { kind: 'left', why: CLOSE_TEXTS[closed] };
    deps.failpoint('closed');
    const why = await leave(deps, move).catch(whyRefused);
    if (why !== undefined) {
      await undoMove(deps, move);
      return { kind: 'left', why };
    }
  }
  await land(deps, { ...move, state: 'switched' });
  return { kind: 'moved' };
}

function whyRefused(error: unknown): string {
  if (error instanceof MoveRefused) return error.message;
  throw error;
}

const CLOSE_TEXTS = {
  unknown: 'the source has no such player',
  moved: 'it is in another cell',
  moving: 'another move of it is not finished',
} as const;

/**
 * Waits, copies and switches. Returns why that is not possible; undefined when the player has left.
 */
async function leave(deps: MoveDeps, move: CellMove): Promise<string | undefined> {
  const { source, failpoint } = deps;
  const endMs = performance.now() + deps.waitMs;
  for (let copies = 0; copies < MAX_COPIES; copies += 1) {
    const why = await waitUntilSettled(deps, move, endMs);
    if (why !== undefined) return why;
    failpoint('settled');
    const proof = await stagePlayer({ ...deps, move });
    if (proof === undefined)
      throw new Error(`the target has finished move ${move.id}, and the source has not switched it`);
    failpoint('staged');
    const outcome = await switchPlayer(source, move.id, proof);
    if (outcome === 'switched') {
      failpoint('switched');
      return undefined;
    }
    if (outcome === 'gone') return 'the move was undone meanwhile';
  }
  return 'its rows keep changing';
}

async function waitUntilSettled(deps: MoveDeps, move: CellMove, endMs: number): Promise<string | undefined> {
  const { source, completes, signal } = deps;
  for (;;) {
    // An account in another currency may have been opened after the others were closed.
    await closePlayer(source, move);
    const unsettled = await findUnsettled(source, move.playerID);
    if (unsettled.length === 0) return undefined;
    if (completes) {
      for (const { state, roundID } of unsettled) {
        if (state === 'open') await completeRound(source, { roundID, reason: 'the player moves to another cell' });
      }
    }
    if (performance.now() > endMs || signal?.aborted) return textOf(unsettled);
    await pause(POLL_MS);
  }
}

function textOf(unsettled: readonly Unsettled[]): string {
  const [first] = unsettled;
  if (first === undefined) return '';
  const what = {
    open: 'is open',
    pending: 'has a pending wallet transaction',
    parked: 'has a parked wallet transaction',
  };
  const more = unsettled.length > 1 ? `, and ${unsettled.length - 1} more` : '';
  return `round ${first.roundID} ${what[first.state]}${more}`;
}

/** The target takes the rows that it has; when it has lost them, the source sends its own again. */
async function land(deps: MoveDeps, move: CellMove): Promise<void> {
  const { source, target, failpoint } = deps;
  if ((await landPlayer(target, move.id)) === 'unknown') {
    await stagePlayer({ ...deps, move });
    await landPlayer(target, move.id);
  }
  failpoint('landed');
  await finishMove(source, move.id);
  failpoint('finished');
}

/** Leaves the player at the source. Returns false when the player has left it already. */
export async function undoMove(
  { source, target, failpoint }: Pick<MoveDeps, 'source' | 'target' | 'failpoint'>,
  move: Pick<CellMove, 'id'>,
): Promise<boolean> {
  if (!(await reopenPlayer(source, move.id))) return false;
  failpoint('opened');
  await unstagePlayer(target, move.id);
  failpoint('unstaged');
  return true;
}
