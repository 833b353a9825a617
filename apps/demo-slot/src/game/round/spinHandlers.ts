import type { EventHandlers, Pace } from '@roundhouse/sdk/events';
import type { BookEvent, SpinKind } from '../../../rules.ts';
import type { Context } from '../context.ts';
import type { WinTier } from '../ports.ts';
import { celebrate, winTierOf } from './celebrate.ts';
import type { ShownRound, Tally } from './shownRound.ts';

/**
 * How long the lines of a win are shown before the round goes on, at the normal pace. They stay
 * until the next spin.
 */
const LOOK_AT_LINES_MS = 1100;

type SpinEvent = 'reveal' | 'winInfo' | 'setWin' | 'setTotalWin' | 'winCap' | 'finalWin';

/** The events of every spin, in the base game and in free spins. */
export function spinHandlers(
  context: Context,
  round: ShownRound,
  tally: Tally,
): Pick<EventHandlers<BookEvent>, SpinEvent> {
  const { stage, steps, store } = context;
  /** All lines have been shown at once. The lines in turn may continue during the next steps. */
  let linesSeen: Promise<void> = Promise.resolve();

  return {
    async reveal({ spin, board, anticipation }, { pace }) {
      steps.endShows();
      stage.clearWins();
      if (pace === 'instant') {
        stage.showBoard(board);
      } else {
        if (store.moving.peek() !== 'reels') turnReels(context, spin, pace);
        await steps.stopReels(pace, (showing) => stage.stopReels(board, anticipation, showing));
      }
      store.phase.value = 'presenting';
      context.setBoard(board);
    },

    winInfo({ wins }, { pace }) {
      if (pace === 'instant') return;
      const shown = steps.show(pace, (showing) =>
        stage.showLineWins(wins, ({ win }) => context.write(tally.micros(win)), showing),
      );
      // Whichever is first: a press cuts both short.
      linesSeen = Promise.race([shown, steps.pause(pace, LOOK_AT_LINES_MS)]);
      // Awaited later. Until then a rejection must not count as unhandled.
      linesSeen.catch(() => {});
    },

    async setWin({ amount }, { pace }) {
      const amountMicros = tally.micros(amount);
      const beforeMicros = tally.totalMicros;
      const tier = tierOfSpin(amountMicros, round);
      if (pace === 'instant' || !tier) {
        tally.set(beforeMicros + amountMicros);
      } else {
        const onCount = (micros: number) => {
          store.winMicros.value = beforeMicros + micros;
        };
        await celebrate(context, { tier, amountMicros, onCount }, pace);
        tally.set(beforeMicros + amountMicros);
      }
      await linesSeen;
    },

    setTotalWin({ amount }) {
      tally.set(tally.micros(amount));
    },

    async winCap({ amount }, { pace }) {
      if (pace === 'instant') return;
      await celebrate(context, { tier: 'max', amountMicros: tally.micros(amount), onCount: () => {} }, pace);
    },

    async finalWin({ amount }) {
      await linesSeen;
      tally.set(tally.micros(amount));
    },
  };
}

/** The next event celebrates a win that reaches the cap. */
function tierOfSpin(amountMicros: number, round: ShownRound): WinTier | undefined {
  const tier = winTierOf(amountMicros, round);
  return tier === 'max' ? 'epic' : tier;
}

/** The reels turn until they get a board to stop on. */
export function turnReels({ stage, steps }: Context, spin: SpinKind, pace: Pace): void {
  steps.turnReels();
  stage.startReels(spin, pace);
}
