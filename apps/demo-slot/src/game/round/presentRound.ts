import { createEventPlayer, type EventHandlers } from '@roundhouse/sdk/events';
import type { BookEvent } from '../../../rules.ts';
import type { Showing } from '../stage.ts';
import type { Table } from '../table.ts';
import { freeSpinHandlers } from './freeSpinHandlers.ts';
import type { ShownRound } from './shownRound.ts';
import { spinHandlers } from './spinHandlers.ts';
import { createTally } from './tally.ts';

export type PresentOptions = {
  /** Place of the first event to be shown; those before it only set the scene. */
  readonly from: number;
  /** Awaited before each event that is shown. */
  readonly onEvent: (index: number) => Promise<void> | undefined;
};

/**
 * Shows a round from its events. At its end the win on the screen is the payout and the scene is
 * the base game's, even when the picture failed: the picture must never decide about money.
 */
export async function presentRound(table: Table, round: ShownRound, { from, onEvent }: PresentOptions): Promise<void> {
  const { model, store } = table;
  const tally = createTally(round, store);
  const handlers: EventHandlers<BookEvent> = {
    ...spinHandlers(table, round, tally),
    ...freeSpinHandlers(table, round, tally),
  };
  const player = createEventPlayer(handlers, { pace: model.pace.peek() });
  const unfollow = model.pace.subscribe((pace) => player.setPace(pace));
  try {
    await player.play(round.events, { from, onEvent: (index) => onEvent(index) ?? undefined });
  } catch {
    await tidyUp(table);
  } finally {
    unfollow();
  }
  store.freeSpins.value = undefined;
  store.winMicros.value = round.payoutMicros;
  tellEnd(table, round);
}

/** The reels stop where they were before, when there is no board to stop on. */
export async function stopOnOldBoard({ steps, stage, store, board, model }: Table): Promise<void> {
  if (store.moving.peek() !== 'reels') return;
  const old = board();
  await steps.stopReels(model.pace.peek(), (showing) =>
    stage.stopReels(
      old,
      old.map(() => false),
      showing,
    ),
  );
}

async function tidyUp(table: Table): Promise<void> {
  const { stage, steps, audio, board } = table;
  const showing: Showing = { pace: 'instant', skipped: AbortSignal.abort() };
  try {
    steps.endShows();
    stage.clearWins();
    stage.showBoard(board());
    audio.music('base');
    await steps.stopReels('instant', () => stage.changeScene('base', showing));
  } catch {
    // The picture has failed. Buttons, texts and money go on.
  }
}

function tellEnd({ say, write, store }: Table, { payoutMicros, events }: ShownRound): void {
  if (payoutMicros === 0) say('sayNoWin');
  else if (events.some(({ type }) => type === 'freeSpinEnd')) say('sayRoundEnd', { amount: write(payoutMicros) });
  else say('sayWin', { amount: write(payoutMicros) });
  store.phase.value = 'presenting';
}
