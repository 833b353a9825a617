import type { Micros } from '@roundhouse/sdk';
import type { Dialogs } from './dialogs.ts';
import { h } from './dom.ts';
import type { Money } from './money.ts';
import type { Texts } from './texts.ts';

type BetsPage = {
  texts: Texts;
  money: Money;
  dialogs: Dialogs;
  levels: readonly Micros[];
  chosen: number;
  choose: (level: Micros) => void;
};

/** Shows all bets at once; a press chooses one. */
export function openBets({ texts, money, dialogs, levels, chosen, choose }: BetsPage): void {
  const buttons = levels.map((level) => {
    const onclick = () => {
      dialogs.close();
      choose(level);
    };
    const className = level === chosen ? '' : 'quiet';
    return h(
      'button',
      { type: 'button', className, ariaPressed: String(level === chosen), onclick },
      money.text(level),
    );
  });
  dialogs.open(texts.chooseBet, [h('div', { className: 'bets' }, ...buttons)]);
}
