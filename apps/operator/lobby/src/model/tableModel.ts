import { computed, signal } from '@preact/signals';
import type { Api, Failure } from '../api/api.ts';
import type { LaunchedSession, LaunchRequest, LobbyGame } from '../api/apiTypes.ts';
import { isCountryFit, launchRequestOf, type PlayChoices, readChoices } from '../games/playChoices.ts';
import type { AccountModel } from './accountModel.ts';
import type { KeptValues } from './keptValues.ts';

/** A game at which the player sits. */
export type OpenGame = {
  readonly game: LobbyGame;
  readonly session: LaunchedSession;
  readonly request: LaunchRequest;
  /** Counts how often the page of the game was loaded. */
  readonly load: number;
};

export type TableModel = ReturnType<typeof createTableModel>;

type Parts = { api: Api; kept: KeptValues; account: AccountModel };

/** How games are opened, and the one that is open. */
export function createTableModel({ api, kept, account }: Parts) {
  const choices = signal<PlayChoices>(readChoices(kept.read('choices')));
  const open = signal<OpenGame | undefined>(undefined);
  /** Id of the game that is being opened. */
  const opening = signal<string | undefined>(undefined);
  const failure = signal<{ game: LobbyGame; failure: Failure } | undefined>(undefined);

  function requestFor(game: LobbyGame): LaunchRequest | undefined {
    if (account.playerID.value === undefined || !isCountryFit(choices.value.country)) return undefined;
    const who = { playerID: account.playerID.value, currency: account.currency.value };
    return launchRequestOf(choices.value, { ...who, gameID: game.gameID });
  }

  async function openGame(game: LobbyGame): Promise<void> {
    const request = requestFor(game);
    if (!request || opening.value !== undefined) return;
    opening.value = game.gameID;
    const answer = await api.launch(request);
    opening.value = undefined;
    failure.value = answer.ok ? undefined : { game, failure: answer.failure };
    if (answer.ok) open.value = { game, session: answer.value, request, load: (open.value?.load ?? 0) + 1 };
  }

  return {
    choices,
    open,
    opening,
    failure,
    canOpen: computed(() => account.playerID.value !== undefined && isCountryFit(choices.value.country)),
    /** Whether the open game was opened with other choices than those that are made now. */
    isOutdated: computed(() => {
      const request = open.value && requestFor(open.value.game);
      return request !== undefined && JSON.stringify(request) !== JSON.stringify(open.value?.request);
    }),
    choose(change: Partial<PlayChoices>): void {
      choices.value = { ...choices.value, ...change };
      kept.write('choices', choices.value);
    },
    openGame,
    /** Opens the game anew, in a new session. */
    restart: (): Promise<void> => (open.value ? openGame(open.value.game) : Promise.resolve()),
    /** Loads the page of the game again, in the same session. */
    reload(): void {
      if (open.value) open.value = { ...open.value, load: open.value.load + 1 };
    },
    close(): void {
      open.value = undefined;
    },
  };
}
