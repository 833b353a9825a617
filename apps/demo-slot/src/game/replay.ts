import { debitOf, isRgsError, type LaunchReplay, type ReplayResponse } from '@roundhouse/sdk';
import type { BookEvent } from '../../rules.ts';
import type { ClientContext } from './context.ts';
import { type Failures, failureDialog } from './failure.ts';
import { paidMicros } from './money.ts';
import { presentRound, stopOnOldBoard } from './round/presentRound.ts';
import type { ShownRound } from './round/shownRound.ts';
import { turnReels } from './round/spinHandlers.ts';

/** Shows a published round, as often as wanted. It needs no session and moves no money. */
export type Replay = {
  /** Fetches the book. Resolves too when there is no such book: a dialog then says so. */
  fetch(): Promise<void>;
  start(): Promise<void>;
};

export function createReplay(context: ClientContext, launch: LaunchReplay, failures: Failures): Replay {
  const { client, store, steps, stage, audio, model } = context;
  let round: ShownRound | undefined;

  return {
    async fetch() {
      try {
        const book = await client.replay();
        round = shownReplayOf(book, launch.amount);
      } catch (error) {
        if (!isUnknownBook(error)) throw error;
        failures.show(failureDialog('replayNotFound', 'none'), () => {});
        return;
      }
      store.betMicros.value = launch.amount;
      store.replay.value = {
        mode: launch.mode.toUpperCase(),
        betMicros: launch.amount,
        costMicros: round.stakeMicros,
        book: launch.event,
        state: 'ready',
      };
    },

    async start() {
      const info = store.replay.peek();
      if (!round || !info || info.state === 'playing' || store.phase.peek() !== 'idle') return;
      store.replay.value = { ...info, state: 'playing' };
      store.phase.value = 'spinning';
      store.winMicros.value = 0;
      audio.unlock();
      audio.music('base');
      steps.endShows();
      stage.clearWins();
      turnReels(context, 'basegame', model.pace.peek());
      await presentRound(context, round, { from: 0, onEvent: () => undefined });
      await stopOnOldBoard(context);
      store.phase.value = 'idle';
      store.replay.value = { ...info, state: 'ended' };
    },
  };
}

function shownReplayOf({ payoutMultiplier, costMultiplier, state }: ReplayResponse, betMicros: number): ShownRound {
  return {
    betMicros,
    stakeMicros: debitOf({ amount: betMicros, costMultiplier }),
    // A multiplier has two decimals at most, so that this is the whole number that the book was
    // published with.
    payoutMicros: paidMicros({ betMicros, hundredths: Math.round(payoutMultiplier * 100) }),
    events: state as readonly BookEvent[],
  };
}

function isUnknownBook(error: unknown): boolean {
  return isRgsError(error) && (error.status === 404 || error.kind === 'bad-request');
}
