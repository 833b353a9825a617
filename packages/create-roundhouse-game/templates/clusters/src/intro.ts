import { MULTIPLIERS, SIZES, WIN_CAP } from '../math/rules.ts';
import { fill } from './texts.ts';
import type { IntroParts } from './types.ts';
import { type IntroCard, medal } from './welcome.ts';

/** Says what the game is, from the data of the math. */
export function introCards({ texts, money, picture }: IntroParts): IntroCard[] {
  const most = money.number(WIN_CAP / 100);
  return [
    { art: picture('H1'), text: fill(texts.introClusters, { fewest: SIZES[0] }) },
    { art: picture('H2'), text: texts.introTumble },
    { art: medal(`×${MULTIPLIERS[1]}`), text: fill(texts.introMultiplier, { most: `×${MULTIPLIERS.at(-1)}` }) },
    { art: medal(`${most}×`), text: fill(texts.introMaxWin, { count: most }) },
  ];
}
