import { batch } from '@preact/signals-core';
import type { BetConfig, ClientState } from '@roundhouse/sdk';
import { MODE_COST_HUNDREDTHS, MODES } from '../../rules.ts';
import type { ClientContext } from './context.ts';
import { firstBet } from './money.ts';
import { rememberedBet } from './preferences.ts';

/** Copies the client's state to the context. Returns the function that stops it. */
export function followClient(context: ClientContext): () => void {
  const { client, store, clock } = context;
  let cancelWait = () => {};

  const watchPause = () => {
    cancelWait();
    const msLeft = client.msUntilNextPlay();
    store.tooEarly.value = msLeft > 0;
    if (msLeft > 0) cancelWait = clock.after(msLeft, watchPause);
  };
  const follow = (state: ClientState) =>
    batch(() => {
      takeConfig(context, state);
      store.clientReady.value = state.canPlay;
      store.netPositionMicros.value = state.netPositionMicros;
      store.fairness.value = state.fairness;
      if (!isRoundOnScreen(context)) showBalance(context);
      watchPause();
    });
  const unsubscribe = client.subscribe(follow);
  return () => {
    unsubscribe();
    cancelWait();
  };
}

/**
 * Shows the server's latest balance. While a round is shown it is called twice only: after the
 * debit, and after the payout.
 */
export function showBalance({ client, store }: ClientContext): void {
  store.balanceMicros.value = client.state.balance?.amount;
}

function isRoundOnScreen({ store }: ClientContext): boolean {
  const phase = store.phase.peek();
  return phase === 'spinning' || phase === 'presenting';
}

function takeConfig(context: ClientContext, { config: sent, balance }: ClientState): void {
  const { store, texts, model, page } = context;
  const config = sent && withModes(sent);
  if (balance) store.currency.value = balance.currency;
  if (!config || config === store.config.peek()) return;
  const isFirst = store.config.peek() === undefined;
  store.config.value = config;
  // This comes first, because the texts depend on the jurisdiction.
  texts.setSocial(model.social.peek());
  if (isFirst) store.betMicros.value = firstBet(config, rememberedBet(page, store));
  if (!config.betModes[store.mode.peek()]) store.mode.value = 'BASE';
}

const OWN_MODES = Object.fromEntries(
  MODES.map((mode) => [mode, { mode, costMultiplier: MODE_COST_HUNDREDTHS[mode] / 100, feature: mode === 'BONUS' }]),
);
const completed = new WeakMap<BetConfig, BetConfig>();

/** Fills in the game's own modes where the server names none, as Engine's does. */
function withModes(config: BetConfig): BetConfig {
  if (Object.keys(config.betModes).length > 0) return config;
  const known = completed.get(config) ?? { ...config, betModes: OWN_MODES };
  completed.set(config, known);
  return known;
}
