import type { Texts } from './texts.ts';

export type HudAction = 'spin' | 'stop' | 'lowerBet' | 'raiseBet' | 'autoplay' | 'sound';

/** What the buttons and meters show. Amounts are texts already. */
export type HudView = {
  balance: string;
  win: string;
  bet: string;
  isBusy: boolean;
  canStop: boolean;
  canSpin: boolean;
  canLower: boolean;
  canRaise: boolean;
  /** Spins that autoplay has left; undefined when it does not run. */
  autoplay: number | undefined;
  hasAutoplay: boolean;
  isSoundOn: boolean;
  isReplay: boolean;
  /** A line of what the place of play demands; may be empty. */
  notes: string;
};

export type Hud = {
  show(view: HudView): void;
  /** A message that the player has to confirm, or cannot when nothing can go on. */
  tell(message: string, options: MessageOptions): Promise<void>;
};

/** `links`: addresses by their texts; one that is undefined is not shown. */
export type MessageOptions = { canGoOn: boolean; links?: Record<string, string | undefined> };

export function createHud(root: HTMLElement, texts: Texts, act: (action: HudAction) => void): Hud {
  const add = <Name extends keyof HTMLElementTagNameMap>(parent: HTMLElement, name: Name, className: string) => {
    const element = document.createElement(name);
    element.className = className;
    parent.append(element);
    return element;
  };
  const meter = (id: string, label: string) => {
    const box = add(root, 'div', `meter ${id}`);
    add(box, 'span', '').textContent = label;
    const value = add(box, 'output', '');
    value.id = id;
    return value;
  };
  const button = (className: string, label: string, text: string, action: HudAction) => {
    const element = add(root, 'button', className);
    element.type = 'button';
    element.ariaLabel = label;
    element.textContent = text;
    element.onclick = () => act(action);
    return element;
  };

  const notes = document.getElementById('notes') as HTMLOutputElement;
  const sound = button('small sound', texts.soundOn, '♪', 'sound');
  const balance = meter('balance', texts.balance);
  const lower = button('small lower', texts.lowerBet, '−', 'lowerBet');
  const bet = meter('bet', texts.bet);
  const raise = button('small raise', texts.raiseBet, '+', 'raiseBet');
  const win = meter('win', texts.win);
  const autoplay = button('small autoplay', texts.autoplay, '⟳', 'autoplay');
  const spin = button('spin', texts.spin, '', 'spin');

  const dialog = add(document.body, 'dialog', '');
  const message = add(dialog, 'p', '');
  const nav = add(dialog, 'nav', '');
  const goOn = add(dialog, 'button', '');
  goOn.textContent = texts.goOn;
  goOn.onclick = () => dialog.close();

  return {
    show(view) {
      balance.value = view.balance;
      bet.value = view.bet;
      win.value = view.win;
      notes.value = view.notes;
      lower.disabled = !view.canLower;
      raise.disabled = !view.canRaise;
      sound.classList.toggle('on', view.isSoundOn);
      sound.ariaLabel = view.isSoundOn ? texts.soundOff : texts.soundOn;
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
    tell(text, { canGoOn, links = {} }) {
      message.textContent = text;
      nav.replaceChildren();
      for (const [label, address] of Object.entries(links)) {
        if (address !== undefined) Object.assign(add(nav, 'a', ''), { href: address, textContent: label });
      }
      goOn.hidden = !canGoOn;
      dialog.showModal();
      // Escape must not close what nothing can follow.
      dialog.oncancel = (event) => {
        if (!canGoOn) event.preventDefault();
      };
      return new Promise((resolve) => {
        dialog.onclose = () => resolve();
      });
    },
  };
}
