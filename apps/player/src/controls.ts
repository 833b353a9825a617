import { type Bet, betLevelsOf, type ClientState, debitOf, nextBetLevel, previousBetLevel } from '@roundhouse/sdk';
import { button, byId, element } from './page.ts';

/** What the page shows in addition to the state of the client. */
export type Controls = {
  /** The player chose this base bet, in micros. */
  bet: number;
  /** A request is pending. */
  isBusy: boolean;
  /** Its outcome is unknown. */
  unsure: Bet | undefined;
  isSocial: boolean;
  money: (micros: number) => string;
  onBet: (bet: number) => void;
  onPlay: (bet: Bet) => void;
  onEndRound: () => void;
  onEvent: (event: string) => void;
  onRefresh: () => void;
};

/** Shows the controls that the state allows. */
export function showControls(state: ClientState, controls: Controls): void {
  const { balance, activeRound } = state;
  const { isBusy, unsure, isSocial, money, onRefresh, onPlay } = controls;
  const isLocked = isBusy || activeRound !== undefined || unsure !== undefined;
  byId('controls').hidden = false;
  byId('balance').textContent = balance ? money(balance.amount) : '–';
  byId('bet-label').textContent = isSocial ? 'Play amount' : 'Bet';
  button('refresh').disabled = isBusy;
  button('refresh').onclick = onRefresh;
  showBet(state, controls, isLocked);
  showModes(state, controls, isLocked);
  showOpenRound(state, controls);
  byId('retry').hidden = unsure === undefined;
  button('retry-now').disabled = isBusy;
  button('retry-now').onclick = () => unsure && onPlay(unsure);
}

function showBet({ config }: ClientState, { bet, money, onBet }: Controls, isLocked: boolean): void {
  if (!config) return;
  const levels = [...new Set([...betLevelsOf(config), bet])].sort((left, right) => left - right);
  const select = byId<HTMLSelectElement>('bet');
  select.replaceChildren(...levels.map((level) => new Option(money(level), String(level), false, level === bet)));
  select.disabled = isLocked;
  select.onchange = () => onBet(Number(select.value));
  const steps = { 'bet-down': previousBetLevel(bet, config), 'bet-up': nextBetLevel(bet, config) };
  for (const [id, level] of Object.entries(steps)) {
    button(id).disabled = isLocked || level === bet;
    button(id).onclick = () => onBet(level);
  }
}

function showModes({ config }: ClientState, { bet, money, onPlay }: Controls, isLocked: boolean): void {
  if (!config) return;
  const named = Object.entries(config.betModes);
  // Engine's server names no modes.
  const modes = named.length > 0 ? named : Object.entries({ BASE: { costMultiplier: 1, feature: false } });
  const buttons = modes.map(([mode, { costMultiplier, feature }]) => {
    const isForbidden = feature && config.jurisdiction.disabledBuyFeature;
    const price = productOf(bet, costMultiplier);
    const made = element(
      'button',
      { type: 'button', className: 'mode', disabled: isLocked || isForbidden },
      element('span', { className: 'mode-name' }, mode),
      element('span', { className: 'mode-price' }, price === undefined ? `${costMultiplier} × the bet` : money(price)),
    );
    if (isForbidden) made.append(element('span', { className: 'hint' }, 'not allowed in this jurisdiction'));
    made.onclick = () => onPlay({ amount: bet, mode });
    return made;
  });
  replaceKeepingFocus(byId('modes'), buttons);
}

/** Keeps the keyboard focus, which a removed button loses. */
function replaceKeepingFocus(parent: HTMLElement, children: HTMLElement[]): void {
  const focused = [...parent.children].findIndex((child) => child.contains(document.activeElement));
  parent.replaceChildren(...children);
  children[focused]?.focus();
}

function showOpenRound({ activeRound }: ClientState, { isBusy, onEndRound, onEvent }: Controls): void {
  byId('open-round').hidden = activeRound === undefined;
  button('end-round').disabled = isBusy;
  button('end-round').onclick = onEndRound;
  byId('record').onsubmit = (submitted) => {
    submitted.preventDefault();
    if (!isBusy) onEvent(byId<HTMLInputElement>('event').value);
  };
}

/**
 * Returns an amount in micros times a multiplier; undefined when the product is not whole micros.
 */
export function productOf(amount: number, costMultiplier: number): number | undefined {
  try {
    return debitOf({ amount, costMultiplier });
  } catch {
    return undefined;
  }
}
