import type { EventHandlers, Pace } from '@roundhouse/sdk/events';
import type { BookEvent, LineWin, SpinKind } from '../../../rules.ts';
import type { Context } from '../context.ts';
import type { WinTier } from '../ports.ts';
import { celebrate, winTierOf } from './celebrate.ts';
import type { ShownRound, Tally } from './shownRound.ts';

/**
 * How long the lines of a win are shown before the round continues, at the normal pace. They stay
 * until the next spin.
 */
const LOOK_AT_LINES_MS = 1100;

type SpinEvent = 'reveal' | 'winInfo' | 'setWin' | 'setTotalWin' | 'winCap' | 'finalWin';

/** Returns the events of every spin, in the base game and in free spins. */
export function spinHandlers(
  context: Context,
  round: ShownRound,
  tally: Tally,
): Pick<EventHandlers<BookEvent>, SpinEvent> {
  const { stage, steps, store, model } = context;
  /** All lines have been shown at once. The lines in turn may continue during the next steps. */
  let linesSeen: Promise<void> = Promise.resolve();

  return {
    async reveal({ spin, board, anticipation }, { pace }) {
      steps.endShows();
      store.lines.value = undefined;
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

    winInfo({ wins, totalWin }, { pace }) {
      const isGain = tally.totalMicros + tally.micros(totalWin) > round.stakeMicros;
      if (!isGain && !model.permissions.peek().lossCelebration) {
        if (pace !== 'instant') linesSeen = markLines(wins, pace);
        return;
      }
      const write = ({ win }: LineWin) => context.write(tally.micros(win));
      store.lines.value = wins.map((win) => ({ win, amount: write(win) }));
      if (pace === 'instant') return;
      const shown = steps.show(pace, (showing) => stage.showLineWins(wins, write, showing));
      // Whichever is first: a press cuts both short.
      linesSeen = Promise.race([shown, steps.pause(pace, LOOK_AT_LINES_MS)]);
      // It is awaited later. Until then a rejection must not count as unhandled.
      linesSeen.catch(() => {});
    },

    async setWin({ amount }, { pace }) {
      const amountMicros = tally.micros(amount);
      const beforeMicros = tally.totalMicros;
      const totalMicros = beforeMicros + amountMicros;
      const tier = winTierOf({ amountMicros, totalMicros }, round);
      tally.remember(tier);
      if (pace !== 'instant') {
        // The end of a round announces a win of the base game.
        if (store.freeSpins.peek()) context.say('sayWin', { amount: context.write(amountMicros) });
        if (tier === 'max') await celebrateCap({ fromMicros: beforeMicros, toMicros: totalMicros }, pace);
        else if (tier) await celebrateSpin(tier, { beforeMicros, amountMicros }, pace);
      }
      tally.set(totalMicros);
      await linesSeen;
    },

    setTotalWin({ amount }) {
      tally.set(tally.micros(amount));
    },

    /** The win that has reached the cap was celebrated as such. */
    winCap() {},

    async finalWin({ amount }) {
      await linesSeen;
      tally.set(tally.micros(amount));
    },
  };

  /** Shows lines long enough to see the result, and without the effects of a win. */
  async function markLines(wins: readonly LineWin[], pace: Pace): Promise<void> {
    stage.markLines(wins);
    await steps.pause(pace, LOOK_AT_LINES_MS);
    stage.clearWins();
  }

  function celebrateSpin(
    tier: WinTier,
    { beforeMicros, amountMicros }: { beforeMicros: number; amountMicros: number },
    pace: Pace,
  ): Promise<void> {
    const onCount = (micros: number) => {
      store.winMicros.value = beforeMicros + micros;
    };
    return celebrate(context, { tier, toMicros: amountMicros, onCount }, pace);
  }

  /**
   * Ends the round here: the lines first, then the round's total, counted on from what has been
   * shown.
   */
  async function celebrateCap(count: { fromMicros: number; toMicros: number }, pace: Pace): Promise<void> {
    await linesSeen;
    const shown = store.freeSpins.peek();
    const note = shown && context.texts.t('winCapEnd', { spin: shown.spin, total: shown.totalSpins });
    const onCount = (micros: number) => {
      store.winMicros.value = micros;
    };
    await celebrate(context, { tier: 'max', ...count, note, onCount }, pace);
  }
}

/** The reels turn until they get a board to stop on. */
export function turnReels({ stage, steps }: Context, spin: SpinKind, pace: Pace): void {
  steps.turnReels();
  stage.startReels(spin, pace);
}
