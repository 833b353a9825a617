import { createEventPlayer, type EventHandlers } from '@roundhouse/sdk/events';
import type { BookEvent } from '../../../rules.ts';
import type { Context } from '../context.ts';
import type { Showing } from '../ports.ts';
import { freeSpinHandlers } from './freeSpinHandlers.ts';
import { createTally, type ShownRound } from './shownRound.ts';
import { spinHandlers } from './spinHandlers.ts';

export type PresentOptions = {
  /** The place of the first event to be shown; those before it only set the scene. */
  readonly from: number;
  /** The presentation awaits it before each event that is shown. */
  readonly onEvent: (index: number) => Promise<void> | undefined;
  /** When it is aborted, the rest of the round is shown at once. */
  readonly rushed?: AbortSignal;
};

/**
 * Shows a round from its events. At its end the win on the screen is the payout and the scene is
 * the base game's, even when the picture failed: the picture must never decide about money.
 */
export async function presentRound(
  context: Context,
  round: ShownRound,
  { from, onEvent, rushed }: PresentOptions,
): Promise<void> {
  const { model, store, steps } = context;
  const tally = createTally(round, store);
  const handlers: EventHandlers<BookEvent> = {
    ...spinHandlers(context, round, tally),
    ...freeSpinHandlers(context, round, tally),
  };
  const player = createEventPlayer(handlers, { pace: model.pace.peek() });
  const unfollow = model.pace.subscribe((pace) => player.setPace(pace));
  rushed?.addEventListener('abort', () => {
    unfollow();
    player.setPace('instant');
    steps.rush(true);
  });
  try {
    await player.play(round.events, { from, onEvent: (index) => onEvent(index) ?? undefined });
  } catch {
    await tidyUp(context);
  } finally {
    unfollow();
    steps.rush(false);
  }
  store.freeSpins.value = undefined;
  store.winMicros.value = round.payoutMicros;
  announceResult(context, round);
}

/** The reels stop where they were before, when there is no board to stop on. */
export async function stopOnOldBoard({ steps, stage, store, board, model }: Context): Promise<void> {
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

async function tidyUp(context: Context): Promise<void> {
  const { stage, steps, store, audio, board } = context;
  const showing: Showing = { pace: 'instant', skipped: AbortSignal.abort() };
  try {
    steps.endShows();
    store.lines.value = undefined;
    stage.clearWins();
    stage.showBoard(board());
    audio.music('base');
    await steps.stopReels('instant', () => stage.changeScene('base', showing));
  } catch {
    // The picture has failed. Buttons, texts and money go on.
  }
}

function announceResult({ say, write, store }: Context, { payoutMicros, events }: ShownRound): void {
  if (payoutMicros === 0) say('sayNoWin');
  else if (events.some(({ type }) => type === 'freeSpinEnd')) say('sayRoundEnd', { amount: write(payoutMicros) });
  else say('sayWin', { amount: write(payoutMicros) });
  store.phase.value = 'presenting';
}
