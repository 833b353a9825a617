import { h } from './dom.ts';
import { sign } from './signs.ts';
import type { Texts } from './texts.ts';

/** What a player should know before the first round. The art repeats the text. */
export type IntroCard = { art: HTMLElement; text: string };

/** Covers the page while the game loads, and until the player has seen what it is. */
export type Welcome = {
  /** `share` goes from 0 to 1; the text is below the bar. */
  showLoading(share: number, text: string): void;
  /** Shows the cards, until the player presses anywhere. */
  introduce(cards: readonly IntroCard[], options: { texts: Texts; isRoundOpen: boolean }): Promise<void>;
  /** Tells why there is no game. */
  fail(text: string): void;
  /** Shows the game. */
  close(): void;
};

/** The page has the title and the bar from the beginning. */
export function createWelcome(): Welcome {
  const root = document.getElementById('welcome') as HTMLElement;
  const bar = document.getElementById('progress') as HTMLElement;
  return {
    showLoading(share, text) {
      bar.ariaLabel = text;
      bar.ariaValueNow = String(Math.round(100 * share));
      bar.style.setProperty('--done', String(share));
    },
    introduce(cards, { texts, isRoundOpen }) {
      const list = cards.map(({ art, text }) => {
        art.ariaHidden = 'true';
        return h('li', {}, art, h('p', {}, text));
      });
      const play = h('button', { type: 'button', className: 'play' }, sign('play'), texts.play);
      const note = isRoundOpen ? [h('p', {}, texts.continueRound)] : [];
      bar.replaceWith(h('h2', {}, texts.introTitle), h('ul', {}, ...list), ...note, play);
      play.focus();
      return new Promise((resolve) => {
        root.onclick = () => resolve();
      });
    },
    fail: (text) => bar.replaceWith(h('p', { role: 'alert' }, text)),
    close: () => root.remove(),
  };
}

/** Shows a number as the art of a card. */
export function medal(text: string): HTMLElement {
  return h('span', { className: 'medal' }, text);
}
