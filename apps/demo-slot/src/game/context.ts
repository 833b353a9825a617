import { type Client, formatAmount } from '@roundhouse/sdk';
import type { Board } from '../../rules.ts';
import type { TextKey, Texts, TextValues } from '../texts/texts.ts';
import { boardInWords, FIRST_BOARD } from './boards.ts';
import type { OpenedLaunch } from './launch.ts';
import type { GameModel } from './model.ts';
import type { AudioPort, Clock, Page, Stage } from './ports.ts';
import { createSteps, type Steps } from './round/steps.ts';
import { createStore, type Derived, modelOf, type Store } from './store.ts';

/** What the game needs from outside. */
export type GameDeps = {
  readonly launch: OpenedLaunch;
  readonly stage: Stage;
  readonly audio: AudioPort;
  readonly texts: Texts;
  readonly clock: Clock;
  readonly page: Page;
};

/** What every part of the game uses: the deps, the state and a few helpers. */
export type Context = Omit<GameDeps, 'launch'> & {
  readonly launch: OpenedLaunch;
  readonly store: Store;
  readonly model: GameModel;
  readonly canPlay: Derived['canPlay'];
  readonly steps: Steps;
  /** The board on the screen. */
  board(): Board;
  /** Stores the board on the screen, and its text for screen readers. */
  setBoard(board: Board): void;
  /** Writes an amount as the player reads it. Micros. */
  write(micros: number): string;
  /** For screen readers. */
  say(key: TextKey, values?: TextValues): void;
};

/** The context of a valid launch link. Without a client only a dialog is shown. */
export type ClientContext = Context & { readonly client: Client };

export function createContext(deps: GameDeps): Context {
  const { launch, texts, page, clock } = deps;
  const store = createStore({ currency: launch.currency ?? 'USD' });
  const { model, canPlay } = modelOf(store, launch, page);
  let board = FIRST_BOARD;
  return {
    ...deps,
    store,
    model,
    canPlay,
    steps: createSteps(store.moving, clock),
    board: () => board,
    setBoard(next) {
      board = next;
      store.boardText.value = boardInWords(next, texts);
    },
    write: (micros) => formatAmount(micros, store.currency.peek(), { language: launch.language }),
    say(key, values) {
      store.announcement.value = texts.t(key, values);
    },
  };
}
