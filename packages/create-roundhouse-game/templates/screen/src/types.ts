import type { SymbolCode } from '../math/rules.ts';
import type { Money } from './money.ts';
import type { Sound } from './sound.ts';
import type { Texts } from './texts.ts';

/** `show.ts` makes it: it shows rounds, without bets and without the server. */
export type Show = {
  /** The board moves until the events of the round come. */
  begin(): void;
  play(events: readonly unknown[], watch: ShowWatch): Promise<void>;
  /** Shows the rest of the round at once. */
  skip(): void;
  /** Moves and waits twice as fast, from now on. */
  setTurbo(isOn: boolean): void;
  /** Shows the board as it was before the last `begin`, without motion. */
  rest(): void;
  /**
   * Celebrates a large win with this title. The round is paid when it resolves, so that the balance
   * does not tell the win before.
   */
  announce(title: string): Promise<void>;
  /** Draws a symbol as the board shows it. */
  picture(symbol: SymbolCode): HTMLCanvasElement;
};

export type ShowParts = {
  texts: Texts;
  sound: Sound;
  /** `share` of the loading goes from 0 to 1. */
  onProgress(share: number): void;
};

export type ShowWatch = {
  /** The result is known: the player may skip from now on. */
  onLanding(): void;
  /** What the round has won so far, in hundredths of the bet. */
  onWin(amount: number): void;
  /** Writes hundredths of the bet as the player reads them. */
  textOf(amount: number): string;
  /** Returns whether a win, in hundredths of the bet, is celebrated. */
  isCelebrated(amount: number): boolean;
};

/** What the introduction is made of. */
export type IntroParts = Omit<PaytableParts, 'betMicros'>;

/** What the paytable is made of. Its amounts are those of this bet. */
export type PaytableParts = {
  texts: Texts;
  money: Money;
  betMicros: number;
  picture: Show['picture'];
};
