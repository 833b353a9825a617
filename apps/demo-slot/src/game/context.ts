import { type Client, formatAmount } from '@roundhouse/sdk';
import type { Board, BookEvent } from '../../rules.ts';
import { symbolName, type TextKey, type Texts, type TextValues } from '../texts/texts.ts';
import { type CanPlay, createModel, type GameModel } from './gameModel.ts';
import type { OpenedLaunch } from './launch.ts';
import type { AudioPort, Clock, Page, Stage } from './ports.ts';
import { createSteps, type Steps } from './round/steps.ts';
import { createShown, createStore, type Store } from './store.ts';

/** A player who has not played yet sees this board: one of each symbol, and nothing that pays. */
export const FIRST_BOARD: Board = [
  ['H1', 'L3', 'W'],
  ['L2', 'S', 'H3'],
  ['H2', 'L1', 'L4'],
  ['L5', 'W', 'H4'],
  ['S', 'H1', 'L2'],
];

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
export type Context = GameDeps & {
  readonly store: Store;
  readonly model: GameModel;
  readonly canPlay: CanPlay;
  readonly steps: Steps;
  /** Returns the board on the screen. */
  board(): Board;
  /** Stores the board on the screen, and its text for screen readers. */
  setBoard(board: Board): void;
  /** Writes an amount in micros as the player reads it. */
  write(micros: number): string;
  /** Announces a text to screen readers. */
  say(key: TextKey, values?: TextValues): void;
};

/** The context of a valid launch link. Without a client the game shows only a dialog. */
export type ClientContext = Context & { readonly client: Client };

export function createContext(deps: GameDeps): Context {
  const { launch, texts, page, clock } = deps;
  const shown = createShown({ currency: launch.currency ?? 'USD' });
  const store = createStore(shown);
  const { model, canPlay } = createModel({ shown, store, launch, page });
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
    write: (micros) =>
      formatAmount(micros, store.currency.peek(), { language: launch.language, social: model.social.peek() }),
    say(key, values) {
      store.announcement.value = texts.t(key, values);
    },
  };
}

/**
 * Returns the board that a round left on the screen. The events are checked, because they come from
 * the server as they were published.
 */
export function lastBoardOf(events: readonly unknown[]): Board | undefined {
  const reveal = (events as readonly Partial<BookEvent>[]).findLast((event) => event?.type === 'reveal');
  return reveal?.type === 'reveal' ? reveal.board : undefined;
}

/** Returns the board in words, reel by reel from the left. */
function boardInWords(board: Board, texts: Texts): string {
  return board
    .map((symbols, reel) => {
      const names = symbols.map((symbol) => symbolName(symbol, texts));
      return texts.t('sayReel', { reel: reel + 1, symbols: names.join(', ') });
    })
    .join('. ');
}
