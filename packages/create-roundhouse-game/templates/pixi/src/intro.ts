import { LINES, WILD_MULTIPLIER, WIN_CAP } from '../math/rules.ts';
import { fill } from './texts.ts';
import type { IntroParts } from './types.ts';
import { type IntroCard, medal } from './welcome.ts';

/** Says what the game is, from the data of the math. */
export function introCards({ texts, money, picture }: IntroParts): IntroCard[] {
  const most = money.number(WIN_CAP / 100);
  return [
    { art: picture('H1'), text: fill(texts.introLines, { lines: LINES.length }) },
    { art: picture('W'), text: fill(texts.introWild, { multiplier: WILD_MULTIPLIER }) },
    { art: medal(`${most}×`), text: fill(texts.introMaxWin, { count: most }) },
  ];
}
