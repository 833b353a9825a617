import { batch } from '@preact/signals-core';
import { lastBoardOf } from '../boards.ts';
import type { Rounds } from '../round/playRound.ts';
import type { OpenTable } from '../table.ts';
import { type Trouble, troubleOf } from './troubleOf.ts';
import type { Troubles } from './troubles.ts';

/** The way back into the game after something has failed. */
export type Recovery = {
  /** Does something that may fail. What fails becomes a dialog, and its button leads back here. */
  attempt(run: () => Promise<void>): Promise<void>;
  /** A round is open: goes on with it. */
  resumeOpenRound(): Promise<void>;
};

export function createRecovery(table: OpenTable, rounds: Rounds, troubles: Troubles): Recovery {
  const { client, store } = table;
  let refreshed: Promise<unknown> = Promise.resolve();

  async function attempt(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      report(troubleOf(error));
    }
  }

  // In one step: there is no moment in which a round could begin before the dialog is there.
  function report(trouble: Trouble): void {
    batch(() => {
      store.recovering.value = false;
      store.phase.value = 'idle';
      troubles.show(trouble, () => void attempt(() => goOn(trouble)));
    });
    // The server knows better what is the case, and nothing hinders asking it while the player reads.
    if (trouble.trouble === 'badRequest') refreshed = client.authenticate().catch(() => {});
  }

  async function goOn({ remedy }: Trouble): Promise<void> {
    store.recovering.value = true;
    await refreshed;
    if (remedy === 'again' || client.state.needsAuthenticate) {
      await client.authenticate();
      showRestingBoard(table);
    }
    store.recovering.value = false;
    await resumeOpenRound();
  }

  async function resumeOpenRound(): Promise<void> {
    const { activeRound } = client.state;
    store.openRound.value = false;
    if (activeRound) await rounds.resume(activeRound);
    else store.phase.value = 'idle';
  }

  return { attempt, resumeOpenRound };
}

/** The board that the last completed round has left. */
export function showRestingBoard({ client, stage, setBoard, board }: OpenTable): void {
  const { round, activeRound } = client.state;
  const left = round && !activeRound ? lastBoardOf(round.state) : undefined;
  stage.clearWins();
  stage.showBoard(left ?? board());
  setBoard(left ?? board());
}
