import { computed, effect } from '@preact/signals-core';
import type { Context } from './context.ts';

/** The milliseconds from the round's own show to the first line, then for each line. */
const FIRST_LINE_MS = 900;
const EACH_LINE_MS = 1700;

/**
 * Shows the lines that have paid in turn between two rounds, until something begins; what begins
 * closes the bubble. Returns the function that stops it.
 */
export function followRest(context: Context): () => void {
  const { store } = context;
  const isAtRest = computed(() => store.phase.value === 'idle' && !store.dialog.value && !store.autoplay.value);
  const ends = [
    effect(() => {
      // A replay that has ended has its card over the reels.
      const isSeen = isAtRest.value && store.replay.value === undefined;
      if (isSeen && store.moving.value === undefined) return showLinesInTurn(context);
    }),
    effect(() => {
      void isAtRest.value;
      void store.betMicros.value;
      store.payBubble.value = undefined;
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** A single line stays without a timer. */
function showLinesInTurn({ store, stage, clock }: Context): (() => void) | undefined {
  const lines = store.lines.value;
  if (!lines || lines.length === 0) return undefined;
  let place = 0;
  const showNext = () => {
    const line = lines[place % lines.length];
    if (!line) return;
    stage.showLine(line.win, line.amount);
    place += 1;
    if (lines.length > 1) cancel = clock.after(EACH_LINE_MS, showNext);
  };
  let cancel = clock.after(FIRST_LINE_MS, showNext);
  return () => {
    cancel();
    stage.clearWins();
  };
}
