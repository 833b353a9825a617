import { type Client, debitOf, type HistoryRound, isRgsError } from '@roundhouse/sdk';
import type { Dialogs } from './dialogs.ts';
import { h } from './dom.ts';
import { infoPage } from './infoPage.ts';
import type { Money } from './money.ts';
import { type Sign, sign } from './signs.ts';
import { fill, type Texts } from './texts.ts';

export type MenuParts = {
  client: Client;
  texts: Texts;
  money: Money;
  dialogs: Dialogs;
  rules: () => Node[];
  replay: (round: HistoryRound) => void;
};

/** Makes the menu with rules, history and facts. Returns the function that opens it. */
export function createMenu(parts: MenuParts): () => void {
  const { client, texts, dialogs } = parts;
  const { launch } = client;
  const hasHistory = launch.kind === 'play' && launch.sessionID !== '';

  function open(): void {
    const line = (face: Sign, text: string, onclick: () => void) => {
      return h('li', {}, h('button', { type: 'button', onclick }, sign(face), text));
    };
    const link = (text: string, href: string | undefined, target = '') => {
      return href === undefined ? [] : [h('li', {}, h('a', { href, target, rel: 'noopener noreferrer' }, text))];
    };
    const list = h(
      'ul',
      { className: 'menuList' },
      line('rules', texts.rules, () => dialogs.open(texts.rules, parts.rules(), open)),
      ...(hasHistory ? [line('history', texts.history, () => void openHistory())] : []),
      line('info', texts.info, () => dialogs.open(texts.info, infoPage(parts), open)),
      ...link(texts.accountHistory, launch.historyURL, '_blank'),
      ...link(texts.responsibleGambling, launch.responsibleGamblingURL, '_blank'),
      ...link(texts.leave, launch.returnURL),
    );
    dialogs.open(texts.menu, [list]);
  }

  async function openHistory(): Promise<void> {
    const list = h('ol', { className: 'history' });
    const state = h('p', { role: 'status' });
    const more = h('button', { type: 'button', hidden: true }, texts.more);
    let before: number | undefined;
    const load = async () => {
      state.textContent = texts.loading;
      more.hidden = true;
      try {
        const { rounds, next } = await client.history(before === undefined ? {} : { before });
        list.append(...rounds.map((round) => historyLine(round, parts)));
        before = next ?? undefined;
        more.hidden = next === null;
        state.textContent = list.childElementCount === 0 ? texts.noRounds : '';
      } catch (error) {
        if (!isRgsError(error)) throw error;
        state.textContent = texts[error.kind];
        more.hidden = false;
      }
    };
    more.onclick = () => void load();
    dialogs.open(texts.history, [list, state, more], open);
    await load();
  }

  return open;
}

/**
 * Shows what was played and won, with a button to replay it if the server has its book.
 */
function historyLine(round: HistoryRound, { client, texts, money, dialogs, replay }: MenuParts): HTMLLIElement {
  const { betID, mode, amount, costMultiplier, payout, active, startedAt } = round;
  const { language, gameVersion } = { gameVersion: undefined, ...client.launch };
  const time = new Date(startedAt);
  const sums = [`${texts.bet} ${money.text(debitOf({ amount, costMultiplier }))}`];
  if (round.void) sums.push(texts.roundVoid);
  else if (active) sums.push(texts.roundOpen);
  else sums.push(`${texts.win} ${money.text(payout)}`);
  const again = h('button', { type: 'button', className: 'quiet' }, texts.replay);
  again.onclick = () => {
    dialogs.close();
    replay(round);
  };
  // The book of another version may have events that this front end cannot show.
  const canReplay = round.bookID !== undefined && (gameVersion === undefined || gameVersion === round.gameVersion);
  const name = `${fill(texts.round, { round: betID })} · ${texts[`mode${mode}` as keyof Texts] ?? mode}`;
  return h(
    'li',
    { className: payout > 0 ? 'won' : '' },
    h('time', { dateTime: startedAt }, time.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' })),
    h('span', { className: 'name' }, name),
    ...sums.map((sum) => h('span', {}, sum)),
    ...(canReplay ? [again] : []),
  );
}
