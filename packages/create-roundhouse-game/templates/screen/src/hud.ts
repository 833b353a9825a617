import { h } from './dom.ts';
import { type Sign, sign } from './signs.ts';
import type { Texts } from './texts.ts';

/** `spin` begins a round, or shows the rest of the running one at once. */
export type HudAction =
  | 'spin'
  | 'lowerBet'
  | 'raiseBet'
  | 'chooseBet'
  | 'autoplay'
  | 'stopAutoplay'
  | 'turbo'
  | 'sound'
  | 'buy'
  | 'menu';

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
  canChoose: boolean;
  /** The spins left of an autoplay; undefined when it does not run. */
  autoplay: number | undefined;
  hasAutoplay: boolean;
  isTurbo: boolean;
  hasTurbo: boolean;
  isSoundOn: boolean;
  /** The price of the round to buy; undefined if none is offered. */
  price: string | undefined;
  isReplay: boolean;
  /** A line that the player must always see. It may be empty. */
  notes: string;
};

export type Hud = { show(view: HudView): void };

export function createHud(root: HTMLElement, texts: Texts, act: (action: HudAction) => void): Hud {
  let spinAction: HudAction = 'spin';
  const meter = (id: string, label: string, frame: HTMLElement = h('div')) => {
    const value = h('output', { id });
    frame.classList.add('meter', id);
    frame.append(h('span', {}, label), value);
    root.append(frame);
    return value;
  };
  const button = (action: HudAction, label: string, className: string, face?: Sign) => {
    const made = h('button', { type: 'button', className, ariaLabel: label, title: label });
    made.onclick = () => {
      if (made.ariaDisabled === null) act(action === 'spin' ? spinAction : action);
    };
    if (face !== undefined) show(made, face);
    root.append(made);
    return made;
  };
  const show = (made: HTMLButtonElement, face: Sign) => {
    if (made.dataset.sign !== face) made.replaceChildren(sign(face));
    made.dataset.sign = face;
  };
  /** A button that rests keeps the focus, which a disabled one loses. */
  const rest = (made: HTMLButtonElement, isResting: boolean) => {
    made.ariaDisabled = isResting ? 'true' : null;
  };

  const notes = document.getElementById('notes') as HTMLOutputElement;
  button('menu', texts.menu, 'small menu', 'menu');
  const sound = button('sound', texts.sound, 'small sound');
  const balance = meter('balance', texts.balance);
  const lower = button('lowerBet', texts.lowerBet, 'small lower', 'minus');
  const choose = button('chooseBet', texts.chooseBet, '');
  const bet = meter('bet', texts.bet, choose);
  const raise = button('raiseBet', texts.raiseBet, 'small raise', 'plus');
  const win = meter('win', texts.win);
  const buy = button('buy', texts.buy, 'buy');
  const turbo = button('turbo', texts.turbo, 'small turbo', 'turbo');
  const autoplay = button('autoplay', texts.autoplay, 'small autoplay', 'autoplay');
  const spin = button('spin', texts.spin, 'spin');
  // A button that the mouse has pressed has no focus, so that the space bar spins.
  root.onmousedown = (event) => {
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  };

  return {
    show(view) {
      const isRunning = view.autoplay !== undefined;
      balance.value = view.balance;
      bet.value = view.bet;
      win.value = view.win;
      notes.value = view.notes;
      rest(lower, !view.canLower);
      rest(raise, !view.canRaise);
      rest(choose, !view.canChoose);
      choose.ariaLabel = `${texts.chooseBet}: ${view.bet}`;
      buy.hidden = view.price === undefined;
      rest(buy, !view.canSpin);
      // The style sheet says whether the price has a separate line.
      buy.textContent = `${texts.buy}\n${view.price ?? ''}`;
      buy.ariaLabel = `${texts.buy} ${view.price ?? ''}`;
      turbo.hidden = !view.hasTurbo;
      turbo.ariaPressed = String(view.isTurbo);
      show(sound, view.isSoundOn ? 'soundOn' : 'soundOff');
      sound.ariaPressed = String(view.isSoundOn);
      autoplay.hidden = !view.hasAutoplay;
      autoplay.classList.toggle('on', isRunning);
      rest(autoplay, !view.canSpin);
      rest(spin, !isRunning && !(view.isBusy ? view.canStop : view.canSpin));
      spin.classList.toggle('busy', view.isBusy || isRunning);
      // The style sheet writes it on the button.
      spin.dataset.left = isRunning ? String(view.autoplay) : '';
      spin.ariaLabel = spinName(view, texts);
      spin.title = spin.ariaLabel;
      spinAction = isRunning ? 'stopAutoplay' : 'spin';
    },
  };
}

function spinName({ autoplay, isBusy, isReplay }: HudView, texts: Texts): string {
  if (autoplay !== undefined) return texts.stopAutoplay;
  if (isBusy) return texts.stop;
  return isReplay ? texts.replay : texts.spin;
}
