import {
  type Bet,
  type Client,
  createClient,
  formatAmount,
  isRgsError,
  isSocial,
  type LaunchPlay,
  type LaunchReplay,
  type Round,
} from '@roundhouse/sdk';
import { holdSession } from '@roundhouse/sdk/duties';
import { funMode } from '@roundhouse/sdk/fun';
import { microsOf } from './bookEvents.ts';
import { productOf, showControls } from './controls.ts';
import { byId, clearError, element, loggedFetch, showError, showStatus } from './page.ts';
import { type RoundFacts, showEvents, showFacts } from './roundView.ts';

const TIMEOUT_MS = 15_000;

start();

function start(): void {
  try {
    // The page lists each request and shows each error, so the SDK must not retry.
    const options = { timeoutMs: TIMEOUT_MS, maxRetries: 0, balanceRefreshMs: 0, fetch: loggedFetch };
    const client = createClient({ url: location.href, funMode, ...options });
    const { launch } = client;
    showLaunch(launch);
    if (launch.kind === 'play') playSession(client, launch);
    else showReplay(client, launch);
  } catch (error) {
    if (!isRgsError(error)) throw error;
    showStatus('This page cannot start.');
    showError(error);
  }
}

function showLaunch(launch: LaunchPlay | LaunchReplay): void {
  const { language, device, currency, social, demo, kind } = launch;
  const [game, version] = launch.kind === 'play' ? [launch.gameID, launch.gameVersion] : [launch.game, launch.version];
  document.documentElement.dataset.device = device;
  document.title = game ? `${game} ${version}` : 'Player page';
  byId('game').textContent = document.title;
  const chips = [language, device, currency, kind === 'replay' && kind, social && 'social', demo && 'demo'];
  byId('chips').replaceChildren(...chips.filter((chip) => !!chip).map((chip) => element('li', {}, String(chip))));
}

/** Plays rounds of the session that the launch URL names. */
function playSession(client: Client, { language }: LaunchPlay): void {
  let bet: number | undefined;
  let isBusy = false;
  let isTaken = false;
  let unsure: Bet | undefined;
  let shown: Round | undefined;

  const money = (micros: number): string => {
    const { balance } = client.state;
    return balance ? formatAmount(micros, balance.currency, { language, social: isSocial(client) }) : '';
  };

  async function authenticate(): Promise<void> {
    await client.authenticate();
    const { activeRound } = client.state;
    if (activeRound) showStatus(`Resumed: round ${activeRound.betID} is still open. End it to play the next one.`);
    else showStatus('Ready. Choose a bet and play a round.');
  }

  async function play(wanted: Bet): Promise<void> {
    try {
      const { round } = await client.play(wanted);
      unsure = undefined;
      const { betID, payout, active } = round;
      showStatus(
        `Round ${betID} pays ${money(payout)}. ${active ? 'It is open until you end it.' : 'It is completed.'}`,
      );
    } catch (error) {
      unsure = isOutcomeUnknown(error) ? wanted : undefined;
      throw error;
    }
  }

  async function endRound(): Promise<void> {
    const { activeRound } = client.state;
    await client.endRound();
    if (activeRound) showStatus(`Round ${activeRound.betID} is completed. ${money(activeRound.payout)} was paid.`);
  }

  async function recordEvent(text: string): Promise<void> {
    const { event } = await client.event(text);
    showStatus(`Recorded: ${event}`);
  }

  async function refreshBalance(): Promise<void> {
    await client.balance();
    showStatus('Balance refreshed.');
  }

  /** Sends one request at a time, and shows its outcome. */
  async function during(message: string, action: () => Promise<void>): Promise<void> {
    if (isBusy || isTaken) return;
    isBusy = true;
    clearError();
    showStatus(message);
    render();
    try {
      await action();
    } catch (error) {
      if (!isRgsError(error)) throw error;
      if (isTaken) return;
      showStatus(unsure ? 'The server may have taken the bet.' : 'That did not work.');
      showError(error);
    } finally {
      isBusy = false;
      render();
    }
  }

  function render(): void {
    const { config, round } = client.state;
    if (!config) return;
    bet ??= round?.amount ?? config.defaultBetLevel;
    showFairness(client);
    showControls(client.state, {
      bet,
      isBusy: isBusy || isTaken,
      unsure,
      isSocial: isSocial(client),
      money,
      onBet: (chosen) => {
        bet = chosen;
        render();
      },
      onPlay: (wanted) => during('Playing …', () => play(wanted)),
      onEndRound: () => during('Ending the round …', endRound),
      onEvent: (text) => during('Recording …', () => recordEvent(text)),
      onRefresh: () => during('Refreshing …', refreshBalance),
    });
    if (!round || round === shown) return;
    showFacts(roundFacts(round, money));
    if (round.betID !== shown?.betID) showEvents(round.state, (part) => money(microsOf(round.amount, part)));
    shown = round;
  }

  void holdSession(client).then(() => {
    isTaken = true;
    showStatus('');
    const playHere = element('button', { type: 'button', className: 'primary' }, 'Play here');
    playHere.onclick = () => location.reload();
    const note = element('p', {}, 'This session is open in another tab. If you play here, it stops there.');
    byId('error').replaceChildren(element('div', { className: 'notice' }, note, playHere));
    render();
  });
  during('Reading the session …', authenticate);
}

/** Shows the nonce and the seeds of the next draw, if the session has provably fair draws. */
function showFairness({ state: { fairness }, launch: { rgsUrl } }: Client): void {
  const line = byId('fairness');
  line.hidden = fairness === undefined;
  if (fairness === undefined) return;
  const link = { href: `${rgsUrl}/fairness/verifier`, target: '_blank', rel: 'noopener' };
  line.replaceChildren(
    `Provably fair draws: the next one has nonce ${fairness.nonce} under the server seed with the hash `,
    element('code', {}, `${fairness.serverSeedHash.slice(0, 8)}…`),
    '. ',
    element('a', link, 'Verifier'),
  );
}

/**
 * Shows one published book. It needs no session and moves no money: the launch URL has the amount.
 */
async function showReplay(client: Client, launch: LaunchReplay) {
  const { game, version, mode, event, amount, currency, language } = launch;
  showStatus('Loading the replay …');
  try {
    const { payoutMultiplier, costMultiplier, state } = await client.replay();
    const social = isSocial(client);
    const money = (micros: number) => (currency ? formatAmount(micros, currency, { language, social }) : null);
    const times = (factor: number) => {
      const product = productOf(amount, factor);
      const text = product === undefined ? null : money(product);
      return text === null ? `${factor}×` : `${factor}× = ${text}`;
    };
    showFacts({
      title: `Replay of book ${event}`,
      facts: [
        ['Game', `${game} ${version}`],
        ['Mode', mode],
        ['Price', times(costMultiplier)],
        ['Pays', times(payoutMultiplier)],
      ],
    });
    showEvents(state, (hundredths) => money(microsOf(amount, hundredths)));
    showStatus('This is a replay. No money moves.');
  } catch (error) {
    if (!isRgsError(error)) throw error;
    showStatus('That did not work.');
    showError(error);
  }
}

function roundFacts(round: Round, money: (micros: number) => string): RoundFacts {
  const { betID, active, mode, amount, costMultiplier, payout, payoutMultiplier, event } = round;
  const price = productOf(amount, costMultiplier);
  return {
    title: `Round ${betID}`,
    facts: [
      ['State', active ? 'open' : 'completed'],
      ['Mode', mode],
      ['Bet', money(amount)],
      ['Price', price === undefined ? `${costMultiplier} × the bet` : money(price)],
      ['Pays', `${money(payout)} (${payoutMultiplier}×)`],
      ['Last event', event ?? 'none'],
    ],
  };
}

/** Returns whether the server may have taken the bet despite this error. */
function isOutcomeUnknown(error: unknown): boolean {
  return isRgsError(error) && (error.kind === 'no-network' || error.kind === 'server-error');
}
