import { batch } from '@preact/signals-core';
import { debitOf, isRgsError, type ReplayBook, type ReplayResponse } from '@roundhouse/sdk';
import type { Board, BookEvent } from '../../rules.ts';
import type { ClientContext } from './context.ts';
import { type Failures, failureDialog } from './failure.ts';
import { paidMicros } from './money.ts';
import { presentRound, stopOnOldBoard } from './round/presentRound.ts';
import type { ShownRound } from './round/shownRound.ts';
import { turnReels } from './round/spinHandlers.ts';
import type { Store } from './store.ts';

/** A published book, and the base bet in micros to show it at. */
type ReplayedBook = ReplayBook & { readonly amount: number; readonly isFree?: boolean };

/** Shows a published round, as often as wanted. It moves no money. */
export type Replay = {
  /** Fetches the book. Resolves too when there is no such book: a dialog then says so. */
  fetch(book: ReplayedBook): Promise<void>;
  start(): Promise<void>;
  /** Fetches the book of a round of the history, shows it, and offers the way back to the game. */
  show(book: ReplayedBook): Promise<void>;
  /** Leads back to the game as it was. The current presentation ends at once. */
  leave(): void;
};

/** The replay of a round from the history changes these in the game. */
type Kept = {
  readonly board: Board;
  readonly betMicros: number;
  readonly winMicros: number;
  readonly lines: ReturnType<Store['lines']['peek']>;
};

export function createReplay(context: ClientContext, failures: Failures): Replay {
  const { client, store, steps, stage, audio, model } = context;
  let round: ShownRound | undefined;
  let kept: Kept | undefined;
  let rush = new AbortController();

  async function fetch(book: ReplayedBook): Promise<ShownRound | undefined> {
    try {
      return shownReplayOf(await client.replay(book), book.amount);
    } catch (error) {
      if (!isUnknownBook(error)) throw error;
      // Without a game behind it there is nothing to close the dialog for.
      failures.show(failureDialog('replayNotFound', model.config.peek() ? 'close' : 'none'), () => {});
      return undefined;
    }
  }

  function prepare(shown: ShownRound, { mode, event, amount, isFree = false }: ReplayedBook, canLeave: boolean): void {
    round = shown;
    store.betMicros.value = amount;
    const { stakeMicros: costMicros } = shown;
    const info = { mode: mode.toUpperCase(), betMicros: amount, costMicros, book: event, isFree };
    store.replay.value = { ...info, canLeave, state: 'ready' };
  }

  async function start(): Promise<void> {
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
    rush = new AbortController();
    await presentRound(context, round, { from: 0, onEvent: () => undefined, rushed: rush.signal });
    await stopOnOldBoard(context);
    batch(() => {
      store.phase.value = 'idle';
      store.replay.value = { ...info, state: 'ended' };
      if (rush.signal.aborted) restore();
    });
  }

  function restore(): void {
    if (!kept) return;
    stage.clearWins();
    stage.showBoard(kept.board);
    context.setBoard(kept.board);
    store.betMicros.value = kept.betMicros;
    store.winMicros.value = kept.winMicros;
    store.lines.value = kept.lines;
    store.replay.value = undefined;
    kept = undefined;
  }

  return {
    async fetch(book) {
      const shown = await fetch(book);
      if (shown) prepare(shown, book, false);
    },
    start,
    async show(book) {
      const dialog = store.dialog.peek();
      const shown = await fetch(book);
      // The player has closed the history meanwhile.
      if (!shown || store.dialog.peek() !== dialog) return;
      kept = {
        board: context.board(),
        betMicros: store.betMicros.peek(),
        winMicros: store.winMicros.peek(),
        lines: store.lines.peek(),
      };
      batch(() => {
        store.dialog.value = undefined;
        prepare(shown, book, true);
      });
      await start();
    },
    leave() {
      const info = store.replay.peek();
      if (!info?.canLeave) return;
      audio.play('button');
      if (info.state === 'playing') rush.abort();
      else batch(restore);
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
