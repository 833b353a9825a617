import { computed, signal } from '@preact/signals';
import { type Device, learnCurrency } from '@roundhouse/contract/light';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { createAccountModel, type KeptValues } from './account/account.ts';
import type { Stream } from './account/statement.ts';
import type { Api, Failure, LobbyFacts } from './api.ts';
import { createBenchModel } from './bench/bench.ts';
import { createLauncherModel } from './games/launcher.ts';
import { createReachModel } from './games/reach.ts';
import type { MoneyStyle } from './money.ts';
import { createViewsModel, type View } from './views.ts';

export type LobbyState =
  | { kind: 'loading' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'ready'; facts: LobbyFacts };

export type LobbyModel = ReturnType<typeof createLobbyModel>;

export type LobbyDeps = {
  api: Api;
  kept: KeptValues;
  openStream: (url: string) => Stream;
  /** Returns whether the browser gets a response from this address. */
  probe: (url: string) => Promise<boolean>;
  /** Gives the keyboard back to the game in the frame. */
  focusGame: () => void;
  /** The one that the player holds. */
  device: Device;
};

/** Everything that the page shows and does. */
export function createLobbyModel({ api, kept, openStream, probe, focusGame, device }: LobbyDeps) {
  const state = signal<LobbyState>({ kind: 'loading' });
  const account = createAccountModel({ api, kept, openStream });
  const launcher = createLauncherModel({ api, kept, account, device });
  const views = createViewsModel({ closeGame: launcher.close, reloadGame: launcher.reload });
  const bench = createBenchModel({ api, account, launcher, focusGame });
  const hasBench = () => state.value.kind === 'ready' && state.value.facts.bench;
  const reach = createReachModel({ api, launcher, probe, hasBench });

  return {
    state,
    /** How amounts of the account are shown. */
    moneyStyle: computed((): MoneyStyle => ({ currency: account.currency.value, isSocial: launcher.isSocial.value })),
    account,
    launcher,
    bench,
    reach,
    views,
    /**
     * Reads the operator's facts once more while games are being built. The page keeps what it
     * shows when the operator cannot be reached.
     */
    async refreshGames(): Promise<void> {
      if (state.value.kind !== 'ready' || state.value.facts.beingBuilt.length === 0) return;
      const result = await api.lobby();
      if (result.ok) state.value = { kind: 'ready', facts: result.value };
    },
    /**
     * Reads the operator's facts and opens the player's account; it does so again after a failure.
     * With a view it then shows that, and the game that led there.
     */
    async start(view?: View): Promise<void> {
      state.value = { kind: 'loading' };
      const result = await api.lobby();
      if (!result.ok) {
        state.value = { kind: 'failed', failure: result.failure };
        return;
      }
      for (const currency of result.value.configuredCurrencies) learnCurrency(currency);
      state.value = { kind: 'ready', facts: result.value };
      await account.resume(result.value.currencies);
      if (view === undefined) return;
      if (view === 'cashier') await launcher.reopen(result.value.games);
      views.open(view);
    },
  };
}

/** Gives the components of the page the lobby. */
export const LobbyContext = createContext<LobbyModel | undefined>(undefined);

export function useLobby(): LobbyModel {
  const model = useContext(LobbyContext);
  if (!model) throw new Error('used outside of LobbyContext');
  return model;
}
