import type { EventHandlers, Pace } from '@roundhouse/sdk/events';
import type { BookEvent } from '../../../rules.ts';
import type { Context } from '../context.ts';
import type { AnnouncementCard } from '../ports.ts';
import { celebrate, isGreaterTier, winTierOf } from './celebrate.ts';
import type { ShownRound, Tally } from './shownRound.ts';

/** The pause between two free spins at the normal pace. */
const BETWEEN_SPINS_MS = 350;

/**
 * How long the last spin stays on the screen at the normal pace if no card ends the free spins.
 */
const LOOK_AT_END_MS = 1100;

type FreeSpinEvent = 'freeSpinTrigger' | 'updateFreeSpin' | 'updateMultiplier' | 'freeSpinRetrigger' | 'freeSpinEnd';

/**
 * Returns the events of free spins besides their spins. Each sets the scene even when it is not
 * shown, so that a resume is complete.
 */
export function freeSpinHandlers(
  context: Context,
  round: ShownRound,
  tally: Tally,
): Pick<EventHandlers<BookEvent>, FreeSpinEvent> {
  const { stage, steps, store, audio, texts, model } = context;

  const announce = (card: AnnouncementCard, pace: Pace) => steps.show(pace, (showing) => stage.announce(card, showing));
  const changeCounters = (change: { spin?: number; totalSpins?: number; multiplier?: number }) => {
    const shown = store.freeSpins.peek() ?? { spin: 0, totalSpins: 0, multiplier: 1 };
    store.freeSpins.value = { ...shown, ...change };
  };

  return {
    async freeSpinTrigger({ totalSpins, positions }, { pace }) {
      const isShown = pace !== 'instant';
      if (isShown) {
        await steps.show(pace, (showing) => stage.pulse(positions, showing));
        audio.play('freeSpinsStart');
      }
      context.say('sayFreeSpins', { count: totalSpins });
      audio.music('freeSpins');
      steps.endShows();
      stage.clearWins();
      await steps.show(pace, (showing) => stage.changeScene('freeSpins', showing));
      changeCounters({ spin: 0, totalSpins, multiplier: 1 });
      await steps.show(pace, (showing) => stage.setMultiplier(1, [], showing));
      if (!isShown) return;
      await announce(
        {
          kind: 'freeSpinsStart',
          title: texts.t('freeSpinsWon'),
          value: String(totalSpins),
          note: texts.t('freeSpinsNote'),
        },
        pace,
      );
    },

    async updateFreeSpin({ spin, totalSpins }, { pace }) {
      if (pace !== 'instant') await steps.pause(pace, BETWEEN_SPINS_MS);
      changeCounters({ spin, totalSpins });
      context.say('sayFreeSpin', { spin, total: totalSpins });
    },

    async updateMultiplier({ multiplier, positions }, { pace }) {
      await steps.show(pace, (showing) => stage.setMultiplier(multiplier, positions, showing));
      changeCounters({ multiplier });
      context.say('sayMultiplier', { multiplier });
    },

    async freeSpinRetrigger({ addedSpins, totalSpins, positions }, { pace }) {
      changeCounters({ totalSpins });
      context.say('sayFreeSpins', { count: addedSpins });
      if (pace === 'instant') return;
      await steps.show(pace, (showing) => stage.pulse(positions, showing));
      audio.play('freeSpinsStart');
      const value = texts.t('freeSpinsMore', { count: addedSpins });
      await announce({ kind: 'freeSpinsMore', title: texts.t('freeSpins'), value, note: undefined }, pace);
    },

    async freeSpinEnd(_event, { pace }) {
      // A round that ends at the cap has shown its end when the cap was reached.
      if (pace !== 'instant' && !tally.isAtCap) await showEnd(pace);
      audio.music('base');
      steps.endShows();
      // They are those of the last free spin: no part of the round that a player would look for.
      store.lines.value = undefined;
      stage.clearWins();
      await steps.show(pace, (showing) => stage.changeScene('base', showing));
      store.freeSpins.value = undefined;
    },
  };

  /**
   * Shows the round's total once: as a celebration when it is the greatest so far, else as a card.
   */
  async function showEnd(pace: Pace): Promise<void> {
    const { totalMicros, greatestTier } = tally;
    // The card has the rays and sparks of a win. The total is also below the reels.
    if (totalMicros <= round.stakeMicros && !model.permissions.peek().lossCelebration) {
      return steps.pause(pace, LOOK_AT_END_MS);
    }
    const tier = winTierOf({ amountMicros: totalMicros, totalMicros }, round);
    const count = store.freeSpins.peek()?.spin ?? 0;
    const note = `${texts.t('freeSpinsEnd')} · ${texts.t('freeSpinsEndNote', { count })}`;
    // A round that pays no more than its stake ends without a fanfare.
    if (tier) audio.play('freeSpinsEnd');
    if (tier && tier !== 'win' && isGreaterTier(tier, greatestTier)) {
      await celebrate(context, { tier, toMicros: totalMicros, note }, pace);
    } else {
      await announce(
        { kind: 'freeSpinsEnd', title: texts.t('totalWin'), value: context.write(totalMicros), note },
        pace,
      );
    }
  }
}
