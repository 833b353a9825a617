import { leavesBetOpen } from './advice.js';
import { showControls } from './controls.js';
import { byId, element } from './dom.js';
import { readLaunch } from './launch.js';
import { logCall } from './logView.js';
import { clearError, showError, showStatus } from './messages.js';
import { microsOfHundredths, moneyFormat, timesDecimal } from './money.js';
import { playReplay } from './replay.js';
import { createRgs, newIdempotencyKey, RgsError } from './rgs.js';
import { showFacts, showRound } from './roundView.js';

const { launch, problems } = readLaunch(location.href);
const rgs = createRgs({ rgsUrl: launch.rgsUrl, sessionID: launch.sessionID, onCall: logCall });

/** What the server last said. `unsure` is a play of which nobody knows whether the server took it. */
const state = { balance: null, config: null, round: {}, bet: null, busy: false, unsure: null };

start();

function start() {
  document.documentElement.dataset.device = launch.device;
  byId('game').textContent = launch.game === '' ? 'Player page' : `${launch.game} ${launch.version}`;
  document.title = byId('game').textContent;
  showChips();
  if (problems.length > 0) {
    showStatus('This page cannot start.');
    showError({ code: 'Launch URL', message: problems.join(' '), advice: 'Launch the game again from where it came.' });
  } else if (launch.replay !== null) during('Loading the replay …', () => playReplay(launch, rgs));
  else during('Asking the server for the session …', authenticate);
}

async function authenticate() {
  const { balance, config, round } = await rgs.authenticate();
  Object.assign(state, { balance, config, round: round ?? {} });
  state.bet ??= state.round.amount ?? config.defaultBetLevel;
  if (state.round.active) showStatus(`Resumed: round ${state.round.betID} is still open. End it to play the next one.`);
  else showStatus('Ready. Choose a bet and play a round.');
}

/** The key stays with the bet until an answer is certain, so that trying again cannot debit twice. */
async function play(mode) {
  const bet = state.unsure ?? { amount: state.bet, mode, key: newIdempotencyKey() };
  state.unsure = bet;
  try {
    const { balance, round } = await rgs.play(bet);
    Object.assign(state, { balance, round, unsure: null });
  } catch (error) {
    if (error instanceof RgsError && !leavesBetOpen(error.code)) state.unsure = null;
    throw error;
  }
  const money = moneyOf(state.balance.currency);
  const { betID, payout, active } = state.round;
  showStatus(`Round ${betID} pays ${money(payout)}. ${active ? 'It is open until you end it.' : 'It is completed.'}`);
}

async function endRound() {
  const { balance } = await rgs.endRound();
  state.balance = balance;
  state.round = { ...state.round, active: false };
  showStatus(`Round ${state.round.betID} is completed. ${moneyOf(balance.currency)(state.round.payout)} was paid.`);
}

async function recordEvent(text) {
  const { event } = await rgs.event(text);
  state.round = { ...state.round, event };
  showStatus(`Recorded: ${event}`);
}

async function refreshBalance() {
  state.balance = (await rgs.balance()).balance;
  showStatus('Balance refreshed.');
}

/** One request at a time; what comes of it is shown whatever it is. */
async function during(message, action) {
  if (state.busy) return;
  state.busy = true;
  clearError();
  showStatus(message);
  render();
  try {
    await action();
  } catch (error) {
    if (!(error instanceof RgsError)) throw error;
    showStatus(state.unsure === null ? 'That did not work.' : 'It is not certain whether the server took the bet.');
    showError(error);
  } finally {
    state.busy = false;
    render();
  }
}

function render() {
  if (state.config === null) return;
  const money = moneyOf(state.balance.currency);
  showControls(state, {
    money,
    isSocial: launch.social || state.config.jurisdiction?.socialCasino === true,
    onBet: (bet) => {
      state.bet = bet;
      render();
    },
    onPlay: (mode) => during('Playing …', () => play(mode)),
    onEndRound: () => during('Ending the round …', endRound),
    onEvent: (text) => during('Recording …', () => recordEvent(text)),
    onRefresh: () => during('Refreshing …', refreshBalance),
  });
  renderRound(money);
}

let shownRound = null;

function renderRound(money) {
  const { round } = state;
  if (round === shownRound || round.betID === undefined) return;
  const isSameBook = shownRound?.betID === round.betID;
  shownRound = round;
  const view = { title: `Round ${round.betID}`, facts: factsOf(round, money) };
  if (isSameBook) showFacts(view);
  else showRound({ ...view, state: round.state, money: (part) => money(microsOfHundredths(round.amount, part)) });
}

function factsOf({ active, mode, amount, costMultiplier, payout, payoutMultiplier, event }, money) {
  const price = timesDecimal(amount, costMultiplier);
  return [
    ['State', active ? 'open' : 'completed'],
    ['Mode', mode],
    ['Bet', money(amount)],
    ['Price', price === null ? `${costMultiplier} × the bet` : money(price)],
    ['Pays', `${money(payout)} (${payoutMultiplier}×)`],
    ['Last event', event ?? 'none'],
  ];
}

function moneyOf(currency) {
  return moneyFormat({ language: launch.language, currency });
}

function showChips() {
  const chips = [launch.language, launch.device, launch.currency, launch.replay && 'replay', launch.social && 'social'];
  if (launch.demo) chips.push('demo');
  byId('chips').replaceChildren(...chips.filter(Boolean).map((chip) => element('li', {}, chip)));
}
