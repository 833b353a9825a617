import type { Client } from '@roundhouse/sdk';
import type { Board } from '../../rules.ts';
import type { TextKey, Texts, TextValues } from '../texts/texts.ts';
import type { AudioPort } from './audioPort.ts';
import { FIRST_BOARD } from './boards.ts';
import type { Clock } from './clock.ts';
import type { OpenedLaunch } from './launch.ts';
import type { GameModel } from './model.ts';
import { type Derived, modelOf } from './modelOf.ts';
import { moneyWriter } from './money.ts';
import type { Page } from './page.ts';
import { createSteps, type Steps } from './round/steps.ts';
import { boardInWords } from './speech.ts';
import type { Stage } from './stage.ts';
import { createStore, type Store } from './store.ts';

/** The deps of the game. */
export type GameParts = {
  readonly launch: OpenedLaunch;
  readonly stage: Stage;
  readonly audio: AudioPort;
  readonly texts: Texts;
  readonly clock: Clock;
  readonly page: Page;
};

/** The shared context of the game: its deps, its state, and a few helpers. */
export type Table = Omit<GameParts, 'launch'> & {
  readonly launch: OpenedLaunch;
  readonly store: Store;
  readonly model: GameModel;
  readonly canPlay: Derived['canPlay'];
  readonly steps: Steps;
  /** The board on the screen. */
  board(): Board;
  /** Remembers and tells the board on the screen. */
  setBoard(board: Board): void;
  /** Writes an amount as the player reads it. Micros. */
  write(micros: number): string;
  /** For screen readers. */
  say(key: TextKey, values?: TextValues): void;
};

/** A table with a client. Without a client only a dialog is shown. */
export type OpenTable = Table & { readonly client: Client };

export function createTable(parts: GameParts): Table {
  const { launch, texts, page, clock } = parts;
  const store = createStore({ currency: launch.currency ?? 'USD' });
  const { model, canPlay } = modelOf(store, launch, page);
  let board = FIRST_BOARD;
  return {
    ...parts,
    store,
    model,
    canPlay,
    steps: createSteps(store.moving, clock),
    board: () => board,
    setBoard(next) {
      board = next;
      store.boardText.value = boardInWords(next, texts);
    },
    write: (micros) => moneyWriter(store.currency.peek(), launch.language)(micros),
    say(key, values) {
      store.announcement.value = texts.t(key, values);
    },
  };
}
