import { batch } from '@preact/signals-core';
import type { ClientState } from '@roundhouse/sdk';
import { firstBet } from './bets/betChoice.ts';
import { rememberedBet } from './preferences.ts';
import type { OpenTable } from './table.ts';

/** Keeps the table true to what the client knows. Answers the function that ends it. */
export function followClient(table: OpenTable): () => void {
  const { client, store, clock } = table;
  let cancelWait = () => {};

  const watchPause = () => {
    cancelWait();
    const msLeft = client.msUntilNextPlay();
    store.tooEarly.value = msLeft > 0;
    if (msLeft > 0) cancelWait = clock.after(msLeft, watchPause);
  };
  const follow = (state: ClientState) =>
    batch(() => {
      takeConfig(table, state);
      store.clientReady.value = state.canPlay;
      store.netPositionMicros.value = state.netPositionMicros;
      if (!isRoundOnScreen(table)) showBalance(table);
      watchPause();
    });
  const unsubscribe = client.subscribe(follow);
  return () => {
    unsubscribe();
    cancelWait();
  };
}

/**
 * Shows the balance that the server has told last. While a round is on the screen it is called at two moments only: when the stake
 * has been taken, and when the payout has been added.
 */
export function showBalance({ client, store }: OpenTable): void {
  store.balanceMicros.value = client.state.balance?.amount;
}

function isRoundOnScreen({ store }: OpenTable): boolean {
  const phase = store.phase.peek();
  return phase === 'spinning' || phase === 'presenting';
}

function takeConfig(table: OpenTable, { config, balance }: ClientState): void {
  const { store, texts, model, page } = table;
  if (balance) store.currency.value = balance.currency;
  if (!config || config === store.config.peek()) return;
  const isFirst = store.config.peek() === undefined;
  store.config.value = config;
  // Before anything is written anew: the words follow the place of play.
  texts.setSocial(model.social.peek());
  if (isFirst) store.betMicros.value = firstBet(config, rememberedBet(page, store));
  if (!config.betModes[store.mode.peek()]) store.mode.value = 'BASE';
}
