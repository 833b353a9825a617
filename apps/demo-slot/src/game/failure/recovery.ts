import { batch } from '@preact/signals-core';
import { lastBoardOf } from '../boards.ts';
import type { Rounds } from '../round/playRound.ts';
import type { OpenTable } from '../table.ts';
import { type Failure, failureOf } from './failureOf.ts';
import type { Failures } from './failures.ts';

/** Brings the player back into the game after a failure. */
export type Recovery = {
  /** Runs an action. A failure becomes a dialog, whose button retries from here. */
  attempt(run: () => Promise<void>): Promise<void>;
  /** Continues the open round. */
  resumeOpenRound(): Promise<void>;
};

export function createRecovery(table: OpenTable, rounds: Rounds, failures: Failures): Recovery {
  const { client, store } = table;
  let refreshed: Promise<unknown> = Promise.resolve();

  async function attempt(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      report(failureOf(error));
    }
  }

  // In one step, so that no round can begin before the dialog is open.
  function report(failure: Failure): void {
    batch(() => {
      store.recovering.value = false;
      store.phase.value = 'idle';
      failures.show(failure, () => void attempt(() => goOn(failure)));
    });
    // Authenticate shows the true state, and it can run while the player reads.
    if (failure.failure === 'badRequest') refreshed = client.authenticate().catch(() => {});
  }

  async function goOn({ remedy }: Failure): Promise<void> {
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
