import { computed, effect, untracked } from '@preact/signals-core';
import { debitOf, type HistoryRound } from '@roundhouse/sdk';
import type { ClientContext } from './context.ts';
import type { HistoryLine } from './model.ts';
import type { Replay } from './replay.ts';

/**
 * Rounds on a page, the most that the server lists: a player sees the last fifty at once (GLI-19
 * 4.14).
 */
const PAGE_ROUNDS = 50;

/** Shows the player's rounds, page by page. */
export type History = {
  /** Reads the first page again. */
  open(): void;
  /** Loads the next page, or again the one that could not be loaded. */
  more(): void;
  /** Shows a round of the list once more. Does nothing for one without a book. */
  replay(betID: number): Promise<void>;
};

export function createHistory(context: ClientContext, replay: Replay): History {
  const { client, store } = context;
  let rounds: readonly HistoryRound[] = [];
  let before: number | undefined;
  let opened = 0;

  async function load(): Promise<void> {
    const asked = opened;
    store.history.value = { lines: rounds.map(lineOf), state: 'loading' };
    const page = await client
      .history({ limit: PAGE_ROUNDS, ...(before !== undefined && { before }) })
      .catch(() => undefined);
    // The dialog was reopened meanwhile.
    if (asked !== opened) return;
    if (!page) {
      store.history.value = { lines: rounds.map(lineOf), state: 'failed' };
      return;
    }
    rounds = [...rounds, ...page.rounds];
    before = page.next ?? undefined;
    store.history.value = { lines: rounds.map(lineOf), state: page.next === null ? 'complete' : 'more' };
  }

  function lineOf({
    betID,
    mode,
    amount,
    costMultiplier,
    payout,
    active,
    startedAt,
    ...round
  }: HistoryRound): HistoryLine {
    const isVoid = round.void === true;
    const isFree = round.grantID !== undefined;
    const stakeMicros = debitOf({ amount, costMultiplier });
    // The book of another version may have events that this front end cannot show.
    const { gameVersion } = client.launch.kind === 'play' ? client.launch : {};
    const isOfThisGame = gameVersion === undefined || gameVersion === round.gameVersion;
    return {
      betID,
      mode: mode.toUpperCase(),
      startedAtMs: Date.parse(startedAt),
      balanceBeforeMicros: round.balanceBefore,
      stakeMicros,
      payoutMicros: payout,
      netMicros: isVoid ? 0 : payout - (isFree ? 0 : stakeMicros),
      state: isVoid ? 'void' : active ? 'open' : 'completed',
      canReplay: round.bookID !== undefined && isOfThisGame,
      isFree,
      fair: fairOf(round, active),
    };
  }

  /** All server seeds except the current one are revealed. */
  function fairOf({ fairness }: Pick<HistoryRound, 'fairness'>, isOpen: boolean): HistoryLine['fair'] {
    if (!fairness || isOpen) return undefined;
    return fairness.serverSeedHash === store.fairness.peek()?.serverSeedHash ? 'hidden' : 'revealed';
  }

  return {
    open() {
      opened += 1;
      rounds = [];
      before = undefined;
      void load();
    },
    more() {
      const state = store.history.peek()?.state;
      if (state === 'more' || state === 'failed') void load();
    },
    async replay(betID) {
      const round = rounds.find((known) => known.betID === betID);
      const isAtRest = store.phase.peek() === 'idle' && !store.autoplay.peek() && !client.state.activeRound;
      if (store.dialog.peek()?.kind !== 'history' || !round || !isAtRest || !lineOf(round).canReplay) return;
      const game = store.config.peek()?.gameID ?? '';
      const { gameVersion: version, mode, amount, bookID } = round;
      await replay.show({ game, version, mode, event: String(bookID), amount, isFree: round.grantID !== undefined });
    },
  };
}

/** Loads the list whenever its dialog opens. Returns the function that stops it. */
export function followHistory({ store }: ClientContext, history: History): () => void {
  const isOpen = computed(() => store.dialog.value?.kind === 'history');
  return effect(() => {
    if (isOpen.value) untracked(history.open);
  });
}
