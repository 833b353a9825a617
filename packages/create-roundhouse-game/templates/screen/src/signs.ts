import { h } from './dom.ts';

/** Paths of the signs on the buttons, on a square of 24 by 24. */
const SIGNS = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  play: 'M8 5v14l11-7z',
  autoplay:
    'M10 8.7v6.6l5.5-3.3zM4 12a8 8 0 0 1 13.5-5.8L20 8.5M20 12a8 8 0 0 1-13.5 5.8L4 15.5M20 4v4.5h-4.5M4 20v-4.5h4.5',
  turbo: 'M13 2.5 5 13.5h6l-1 8 8-11h-6z',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M14.5 5.5L8 12l6.5 6.5',
  rules: 'M6 3h9l4 4v14H6zM14.5 3v4.5H19M9.5 12h6M9.5 16h6',
  history: 'M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M12 7.5V12l3.5 2',
  info: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 11v5.5M12 7.5v.1',
  soundOn: 'M4 9.5v5h3.5l4.5 4v-13l-4.5 4zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11',
  soundOff: 'M4 9.5v5h3.5l4.5 4v-13l-4.5 4zM16 9.5l5 5M21 9.5l-5 5',
};

export type Sign = keyof typeof SIGNS;

/** Draws a sign in the colour of the text around it. */
export function sign(name: Sign): HTMLElement {
  return h('span', { className: 'sign', innerHTML: `<svg viewBox="0 0 24 24"><path d="${SIGNS[name]}" /></svg>` });
}
