import type { Board } from '../../rules.ts';
import { symbolName } from '../texts/symbolNames.ts';
import type { Texts } from '../texts/texts.ts';

/** The board in words, reel by reel from the left. */
export function boardInWords(board: Board, texts: Texts): string {
  return board
    .map((symbols, reel) => {
      const names = symbols.map((symbol) => symbolName(symbol, texts));
      return texts.t('sayReel', { reel: reel + 1, symbols: names.join(', ') });
    })
    .join('. ');
}
