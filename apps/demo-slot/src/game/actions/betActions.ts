import { betLevelsOf, nextBetLevel, previousBetLevel } from '@roundhouse/sdk';
import type { Context } from '../context.ts';
import type { Failures } from '../failure.ts';
import type { GameActions } from '../model.ts';
import { keepBet } from '../preferences.ts';

/** These actions change what the next spin costs. */
export function betActions({ store, model, audio, page }: Context, failures: Failures) {
  function setBet(betMicros: number): void {
    const config = store.config.peek();
    const levels: readonly number[] = config ? betLevelsOf(config) : [];
    if (!model.canChangeBet.peek() || !levels.includes(betMicros) || betMicros === store.betMicros.peek()) return;
    store.betMicros.value = betMicros;
    store.lines.value = undefined;
    keepBet(page, store);
    audio.play('betChange');
  }

  return {
    raiseBet() {
      const config = store.config.peek();
      if (config) setBet(nextBetLevel(store.betMicros.peek(), config));
    },
    lowerBet() {
      const config = store.config.peek();
      if (config) setBet(previousBetLevel(store.betMicros.peek(), config));
    },
    setBet,
    setAnte(on) {
      const mode = on ? 'ANTE' : 'BASE';
      if (!model.canChangeBet.peek() || !store.config.peek()?.betModes[mode] || store.mode.peek() === mode) return;
      store.mode.value = mode;
      audio.play('betChange');
    },
    takeAffordableBet() {
      const betMicros = model.affordableBetMicros.peek();
      if (betMicros === undefined) return;
      failures.remedy();
      setBet(betMicros);
    },
  } satisfies Partial<GameActions>;
}
