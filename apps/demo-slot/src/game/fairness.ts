import { computed, effect, untracked } from '@preact/signals-core';
import { verifierLink } from '@roundhouse/sdk/fairness';
import type { ClientContext } from './context.ts';
import type { Recovery } from './failure.ts';
import type { FairTools, RoundCheck } from './model.ts';

/** Reads, changes and checks the seeds of provably fair draws. */
export type Fairness = {
  /** Reads the seeds, the one that was revealed last, and the last round. */
  open(): void;
  /** Takes this client seed for the next round on. */
  changeSeed(clientSeed: string): void;
  /** Reveals the server seed. The next one takes over, with this client seed. */
  revealSeed(clientSeed: string): void;
  /** Opens the verifier with the proof of a round. */
  checkRound(betID: number): void;
  /** Saves all rounds of the seed that was revealed last as a file. */
  saveRounds(): void;
};

export function createFairness(context: ClientContext, recovery: Recovery): Fairness {
  const { client, store, model, audio, page } = context;
  const { fairness: calls } = client;
  if (!calls) throw new Error('the client was made without its part for seeds');
  let opened = 0;

  const show = (change: Partial<FairTools>) => {
    store.fairTools.value = { ...store.fairTools.peek(), ...change };
  };
  const showCheck = (betID: number, check: RoundCheck) => {
    store.checks.value = new Map(store.checks.peek()).set(betID, check);
  };

  /** Changes the seeds while nothing is played. A failure becomes a dialog, as that of a round. */
  function change(request: () => Promise<void>): void {
    const isOpen = store.dialog.peek()?.kind === 'fairness';
    if (!isOpen || model.seedsLock.peek() || store.fairTools.peek().state === 'busy') return;
    audio.play('button');
    show({ state: 'busy' });
    void recovery.attempt(async () => {
      await request().catch((error) => {
        show({ state: 'idle' });
        throw error;
      });
    });
  }

  const load = async (): Promise<void> => {
    const mine = opened;
    const [seeds, rounds] = await Promise.all([calls.seeds(), client.history({ limit: 1 })]);
    if (mine !== opened) return;
    const [last] = rounds.rounds;
    const lastRound = last?.fairness && !last.active ? { betID: last.betID, ...last.fairness } : undefined;
    show({ revealed: seeds.revealed[0], lastRound });
  };

  return {
    open() {
      opened += 1;
      store.fairTools.value = { state: 'idle' };
      store.checks.value = new Map();
      // Without it the dialog is still correct: the client knows the seeds.
      load().catch(() => {});
    },
    changeSeed(clientSeed) {
      change(async () => {
        await calls.changeClientSeed(clientSeed);
        show({ state: 'changed' });
      });
    },
    revealSeed(clientSeed) {
      // The server reveals no seed by which nothing was drawn.
      if (store.fairness.peek()?.nonce === 0) return;
      change(async () => {
        const { revealed } = await calls.rotate(clientSeed);
        // A proof that was loaded before does not hold the server seed.
        store.checks.value = new Map();
        show({ state: 'revealed', revealed });
      });
    },
    checkRound(betID) {
      const mine = opened;
      if (store.checks.peek().get(betID)?.state === 'loading') return;
      audio.play('button');
      showCheck(betID, { state: 'loading' });
      calls
        .proof(betID)
        .then((proof) => verifierLink(client.launch.rgsUrl, proof))
        .then((url) => {
          if (mine !== opened) return;
          showCheck(betID, { state: 'ready', url });
          // A browser may refuse a tab that comes later than the press. Then the link is pressed.
          page.openTab(url);
        })
        .catch(() => {
          if (mine === opened) showCheck(betID, { state: 'failed' });
        });
    },
    saveRounds() {
      const { revealed, state } = store.fairTools.peek();
      if (!revealed || state === 'busy') return;
      const mine = opened;
      audio.play('button');
      show({ state: 'busy' });
      calls
        .export(revealed.serverSeedHash)
        .then((document) => {
          page.saveFile(`rounds-${revealed.serverSeedHash.slice(0, 8)}.json`, JSON.stringify(document));
          if (mine === opened) show({ state: 'idle' });
        })
        .catch(() => {
          if (mine === opened) show({ state: 'failed' });
        });
    },
  };
}

/** Reads the seeds when their dialog opens, and forgets checks when the history opens. */
export function followFairness({ store }: ClientContext, fairness: Fairness): () => void {
  const open = computed(() => {
    const kind = store.dialog.value?.kind;
    return kind === 'fairness' || (kind === 'history' && store.fairness.value !== undefined) ? kind : undefined;
  });
  return effect(() => {
    if (open.value) untracked(fairness.open);
  });
}
