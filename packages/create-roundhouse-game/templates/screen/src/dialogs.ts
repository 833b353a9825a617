import { h } from './dom.ts';
import { type Sign, sign } from './signs.ts';
import type { Texts } from './texts.ts';

/** `links` maps texts to addresses; an undefined address is not shown. `goOn` names the button. */
export type MessageOptions = { canGoOn: boolean; goOn?: string; links?: Record<string, string | undefined> };

export type Dialogs = {
  /** Shows a message that the player must confirm. If nothing can continue, it has no button. */
  tell(message: string, options: MessageOptions): Promise<void>;
  /** Returns whether the player says yes. The pictures are above the question. */
  ask(question: string, options: { yes: string; pictures: readonly Node[] }): Promise<boolean>;
  /** Replaces the open page; `back` leads to the previous page. */
  open(title: string, content: readonly Node[], back?: () => void): void;
  /** Closes the page. */
  close(): void;
};

/**
 * Makes modal dialogs of the browser: they keep the focus inside, close with Escape, and return the
 * focus.
 */
export function createDialogs(texts: Texts): Dialogs {
  const page = h('dialog', { className: 'page' });
  const message = h('dialog', { className: 'message' });
  document.body.append(page, message);
  // A press outside the page closes it.
  page.onclick = ({ target }) => {
    if (target === page) page.close();
  };

  const button = (text: string, onclick: () => void, className = '') => {
    return h('button', { type: 'button', className, onclick }, text);
  };
  const show = (content: readonly Node[], canClose: boolean): Promise<void> => {
    message.replaceChildren(...content);
    // Escape must not close a final message.
    message.oncancel = (event) => {
      if (!canClose) event.preventDefault();
    };
    if (!message.open) message.showModal();
    return new Promise((resolve) => {
      message.onclose = () => resolve();
    });
  };

  return {
    tell(text, { canGoOn, goOn = texts.goOn, links = {} }) {
      const anchors = Object.entries(links).flatMap(([label, href]) => (href ? [h('a', { href }, label)] : []));
      const buttons = canGoOn ? [button(goOn, () => message.close())] : [];
      return show([h('p', {}, text), h('nav', {}, ...anchors, ...buttons)], canGoOn);
    },
    async ask(text, { yes, pictures }) {
      let answer = false;
      const accept = button(yes, () => {
        answer = true;
        message.close();
      });
      const refuse = button(texts.cancel, () => message.close(), 'quiet');
      const above = h('div', { className: 'pictures', ariaHidden: 'true' }, ...pictures);
      await show([above, h('p', {}, text), h('nav', {}, refuse, accept)], true);
      return answer;
    },
    open(title, content, back) {
      const name = h('h2', { id: 'pageTitle', tabIndex: -1 }, title);
      const round = (ariaLabel: string, face: Sign, onclick: () => void) => {
        return h('button', { type: 'button', className: 'small', ariaLabel, onclick }, sign(face));
      };
      const close = round(texts.close, 'close', () => page.close());
      const before = back ? [round(texts.back, 'back', back)] : [];
      page.setAttribute('aria-labelledby', name.id);
      page.replaceChildren(h('header', {}, ...before, name, close), h('div', { className: 'content' }, ...content));
      if (!page.open) page.showModal();
      name.focus();
    },
    close: () => page.close(),
  };
}
