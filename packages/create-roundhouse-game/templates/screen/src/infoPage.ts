import type { Client } from '@roundhouse/sdk';
import { MODES } from '../math/modes.ts';
import { WIN_CAP } from '../math/rules.ts';
import { h, table } from './dom.ts';
import type { Money } from './money.ts';
import { fill, type Texts } from './texts.ts';

type InfoParts = { client: Client; texts: Texts; money: Money };

/** Shows which game this is, and what it returns. */
export function infoPage(parts: InfoParts): Node[] {
  const { client, texts, money } = parts;
  const { launch, state } = client;
  const facts: Record<string, string | undefined> = {
    [texts.game]: document.title,
    [texts.version]: launch.kind === 'replay' ? launch.version : launch.gameVersion,
    [texts.gameID]: launch.kind === 'replay' ? launch.game : (launch.gameID ?? state.config?.gameID),
    [texts.bets]: state.config && `${money.text(state.config.minBet)} – ${money.text(state.config.maxBet)}`,
  };
  const list = h('dl');
  for (const [name, value] of Object.entries(facts)) if (value) list.append(h('dt', {}, name), h('dd', {}, value));
  return [list, ...modesSection(parts)];
}

/** Shows what each mode costs and returns. A test compares it with the published math. */
export function modesSection({ texts, money }: Omit<InfoParts, 'client'>): Node[] {
  const rows = Object.entries(MODES).map(([name, { cost, rtp, hitRate, maxWinOneIn }]) => [
    texts[`mode${name}` as keyof Texts] ?? name,
    fill(texts.timesBet, { count: money.number(cost) }),
    money.percent(rtp),
    money.percent(hitRate),
    fill(texts.oneIn, { count: money.number(maxWinOneIn) }),
  ]);
  return [
    h('h3', {}, texts.modes),
    h('p', {}, fill(texts.maxWinNote, { count: money.number(WIN_CAP / 100) })),
    table([texts.mode, texts.cost, 'RTP', texts.hitRate, texts.maxWinOdds], rows),
    h('p', {}, texts.rtpNote),
  ];
}
