import { byId, element } from './dom.js';
import { timesDecimal } from './money.js';

/** Everything that a player can do now, from what the server last said. */
export function showControls(state, view) {
  const { balance, round, busy, unsure } = state;
  byId('controls').hidden = false;
  byId('balance').textContent = view.money(balance.amount);
  byId('bet-label').textContent = view.isSocial ? 'Play amount' : 'Bet';
  byId('refresh').disabled = busy;
  byId('refresh').onclick = view.onRefresh;
  const isLocked = busy || round.active === true || unsure !== null;
  showBet(state, view, isLocked);
  showModes(state, view, isLocked);
  showOpenRound(state, view);
  showRetry(state, view);
}

function showBet({ config, bet }, { money, onBet }, isLocked) {
  const levels = levelsOf(config, bet);
  const select = byId('bet');
  select.replaceChildren(...levels.map((level) => new Option(money(level), String(level), false, level === bet)));
  select.disabled = isLocked;
  select.onchange = () => onBet(Number(select.value));
  const lower = levels.findLast((level) => level < bet);
  const higher = levels.find((level) => level > bet);
  for (const [id, level] of [
    ['bet-down', lower],
    ['bet-up', higher],
  ]) {
    byId(id).disabled = isLocked || level === undefined;
    byId(id).onclick = () => onBet(level);
  }
}

/** The recommended bets. Where the game names none, the smallest and largest bet and the steps around the chosen one. */
function levelsOf({ betLevels, minBet, maxBet, stepBet }, bet) {
  const levels = betLevels.length > 0 ? betLevels : [minBet, bet - stepBet, bet + stepBet, maxBet];
  const allowed = [...levels, bet].filter((level) => level >= minBet && level <= maxBet);
  return [...new Set(allowed)].sort((a, b) => a - b);
}

function showModes({ config, bet }, { money, onPlay }, isLocked) {
  const modes = Object.entries(config.betModes ?? {});
  const buttons = modes.map(([name, { costMultiplier, feature }]) => {
    const price = timesDecimal(bet, costMultiplier);
    const isForbidden = feature === true && config.jurisdiction?.disabledBuyFeature === true;
    const button = element(
      'button',
      { type: 'button', className: 'mode', disabled: isLocked || isForbidden },
      element('span', { className: 'mode-name' }, name),
      element('span', { className: 'mode-price' }, price === null ? `${costMultiplier} × the bet` : money(price)),
    );
    if (isForbidden) button.append(element('span', { className: 'hint' }, 'not allowed in this jurisdiction'));
    button.onclick = () => onPlay(name);
    return button;
  });
  replaceKeepingFocus(byId('modes'), buttons);
}

/** Buttons made anew lose the keyboard focus; the player who holds Enter on one wants to stay there. */
function replaceKeepingFocus(parent, children) {
  const focused = [...parent.children].indexOf(document.activeElement);
  parent.replaceChildren(...children);
  children[focused]?.focus();
}

function showOpenRound({ round, busy }, { onEndRound, onEvent }) {
  const isOpen = round.active === true;
  byId('open-round').hidden = !isOpen;
  byId('end-round').disabled = busy;
  byId('end-round').onclick = onEndRound;
  byId('record').onsubmit = (submitted) => {
    submitted.preventDefault();
    if (!busy) onEvent(byId('event').value);
  };
}

function showRetry({ unsure, busy }, { onPlay }) {
  byId('retry').hidden = unsure === null;
  byId('retry-now').disabled = busy;
  byId('retry-now').onclick = () => onPlay(unsure.mode);
}
