import { h } from './dom.ts';
import type { Texts } from './texts.ts';

export type HudAction = 'spin' | 'stop' | 'lowerBet' | 'raiseBet' | 'autoplay' | 'buy' | 'menu';

/** What the buttons and meters show. Amounts are texts. */
export type HudView = {
  balance: string;
  win: string;
  bet: string;
  isBusy: boolean;
  canStop: boolean;
  canSpin: boolean;
  canLower: boolean;
  canRaise: boolean;
  /** The spins left of an autoplay; undefined when it does not run. */
  autoplay: number | undefined;
  hasAutoplay: boolean;
  /** The price of the round to buy; undefined if none is offered. */
  price: string | undefined;
  isReplay: boolean;
  /** A line that the player must always see. It may be empty. */
  notes: string;
};

export type Hud = { show(view: HudView): void };

export function createHud(root: HTMLElement, texts: Texts, act: (action: HudAction) => void): Hud {
  const meter = (id: string, label: string) => {
    const value = h('output', { id });
    root.append(h('div', { className: `meter ${id}` }, h('span', {}, label), value));
    return value;
  };
  const button = (className: string, label: string, text: string, action: HudAction) => {
    const made = h('button', { type: 'button', className, ariaLabel: label, onclick: () => act(action) }, text);
    root.append(made);
    return made;
  };

  const notes = document.getElementById('notes') as HTMLOutputElement;
  button('small menu', texts.menu, '☰', 'menu');
  const balance = meter('balance', texts.balance);
  const lower = button('small lower', texts.lowerBet, '−', 'lowerBet');
  const bet = meter('bet', texts.bet);
  const raise = button('small raise', texts.raiseBet, '+', 'raiseBet');
  const win = meter('win', texts.win);
  const buy = button('buy', texts.buy, '', 'buy');
  const autoplay = button('small autoplay', texts.autoplay, '⟳', 'autoplay');
  const spin = button('spin', texts.spin, '', 'spin');

  return {
    show(view) {
      balance.value = view.balance;
      bet.value = view.bet;
      win.value = view.win;
      notes.value = view.notes;
      lower.disabled = !view.canLower;
      raise.disabled = !view.canRaise;
      buy.hidden = view.price === undefined;
      buy.disabled = !view.canSpin;
      buy.textContent = `${texts.buy} ${view.price ?? ''}`;
      buy.ariaLabel = buy.textContent;
      autoplay.hidden = !view.hasAutoplay;
      autoplay.disabled = view.autoplay === undefined && !view.canSpin;
      autoplay.classList.toggle('on', view.autoplay !== undefined);
      autoplay.textContent = view.autoplay === undefined ? '⟳' : String(view.autoplay);
      autoplay.ariaLabel = view.autoplay === undefined ? texts.autoplay : texts.stopAutoplay;
      spin.disabled = view.isBusy ? !view.canStop : !view.canSpin;
      spin.classList.toggle('busy', view.isBusy);
      spin.ariaLabel = view.isBusy ? texts.stop : view.isReplay ? texts.replay : texts.spin;
      spin.onclick = () => act(view.isBusy ? 'stop' : 'spin');
    },
  };
}
