import {
  type BalanceResponse,
  type BetConfig,
  checkBet,
  type EndRoundResponse,
  type EventResponse,
  isStorableText,
  isWithinCharacters,
  MAX_EVENT_BYTES,
  type PlayResponse,
  toMicros,
} from '@roundhouse/contract/light';
import { BadRequestError, type BetIssue, isRgsError } from '../errors.ts';
import type { Bet } from './clientTypes.ts';
import { isSameBet } from './pendingPlays.ts';
import { type Core, inKnownSession } from './session.ts';

/** Places a bet, once, whatever responses are lost. The caller holds a turn for it. */
export async function play(core: Core, bet: Bet): Promise<PlayResponse> {
  const { pendingPlays } = core;
  let wasLost = pendingPlays.isUncertain(bet);
  try {
    return await inKnownSession(core, async (onFailure) => {
      const found = wasLost && !pendingPlays.isUncertain() ? foundRound(core, bet) : undefined;
      try {
        return found ?? (await send(core, bet, onFailure));
      } finally {
        wasLost = pendingPlays.isUncertain(bet);
      }
    });
  } catch (error) {
    pendingPlays.refused();
    // The balance in the state was wrong: the player must see the one that is too low.
    if (isRgsError(error) && error.kind === 'insufficient-funds') {
      await readBalance(core, { maxRetries: 0 }).catch(() => undefined);
    }
    throw error;
  }
}

/**
 * The response to this bet was lost, and authenticate has just shown its round: no second bet is
 * placed.
 */
function foundRound({ store }: Core, bet: Bet): PlayResponse | undefined {
  const { balance, round } = store.state;
  return balance && round && isSameBet(bet, round) ? { balance, round } : undefined;
}

async function send(core: Core, bet: Bet, onFailure: (error: unknown) => void): Promise<PlayResponse> {
  const { store, requests, pendingPlays } = core;
  requireMayPlay(core, bet);
  const idempotencyKey = pendingPlays.begin(bet, store.state.round);
  store.changesBalance();
  try {
    const response = await requests.send({
      name: 'play',
      body: bet,
      idempotencyKey,
      onFailure(error) {
        pendingPlays.failed(error);
        onFailure(error);
      },
    });
    pendingPlays.settled();
    store.played(response);
    return response;
  } finally {
    store.changesBalance();
  }
}

/** @throws BadRequestError for what the server would refuse: nothing is sent then */
function requireMayPlay({ store, strictBetLevels }: Core, bet: Bet): void {
  const { config, activeRound } = store.state;
  if (activeRound) throw new BadRequestError('the bet was not sent: a round is active');
  if (!config) return;
  const betIssue = betIssueOf(bet, config, strictBetLevels);
  if (betIssue !== undefined) throw new BadRequestError(`the bet was not sent: ${betIssue}`, { betIssue });
  const msLeft = store.msUntilNextPlay();
  if (msLeft > 0) throw new BadRequestError(`the bet was not sent: the next one is allowed in ${msLeft} ms`);
}

/**
 * The server decides whether the balance covers the bet: the balance here may be older than a
 * deposit.
 */
function betIssueOf(
  { amount, mode }: Bet,
  { minBet, maxBet, stepBet, betLevels, betModes, jurisdiction }: BetConfig,
  strictBetLevels: boolean,
): BetIssue | undefined {
  // The server takes a mode in upper or lower case.
  const wanted = mode.toUpperCase();
  const betMode = Object.entries(betModes).find(([name]) => name.toUpperCase() === wanted)?.[1];
  // Engine's server names no modes.
  if (!betMode && Object.keys(betModes)[0]) return 'unknown-mode';
  if (betMode?.feature && jurisdiction.disabledBuyFeature) return 'feature-disabled';
  const limits = { minBet: toMicros(minBet), maxBet: toMicros(maxBet), stepBet: toMicros(stepBet) };
  const refusal = checkBet(amount, limits);
  if (refusal !== undefined) return refusal;
  return strictBetLevels && betLevels.length > 0 && !betLevels.includes(amount) ? 'not-a-bet-level' : undefined;
}

/** Reads the balance. The state takes it unless a newer response has told the balance. */
export async function readBalance(
  { store, requests }: Core,
  retrying: { maxRetries?: number } = {},
): Promise<BalanceResponse> {
  const onRead = store.readsBalance();
  const response = await requests.send({ name: 'balance', body: {}, ...retrying });
  onRead(response);
  return response;
}

/**
 * Completes the active round, if there still is one: end-round is idempotent. The caller holds a
 * turn for it.
 */
export async function endRound(core: Core): Promise<EndRoundResponse> {
  const { store, requests } = core;
  store.changesBalance();
  try {
    const response = await inKnownSession(core, (onFailure) =>
      requests.send({ name: 'endRound', body: {}, onFailure }),
    );
    store.roundEnded(response);
    return response;
  } finally {
    store.changesBalance();
  }
}

/**
 * Records an action of the active round. The caller holds a turn for it, so that events arrive in
 * their order.
 */
export async function recordEvent(core: Core, event: string): Promise<EventResponse> {
  const { store, requests } = core;
  // The server counts the bytes: counting them here would cost a game more than the refusal.
  if (typeof event !== 'string' || !isWithinCharacters(event, MAX_EVENT_BYTES) || !isStorableText(event)) {
    throw new BadRequestError(`the event was not sent: it must have 1 to ${MAX_EVENT_BYTES} bytes in UTF-8`);
  }
  const response = await inKnownSession(core, async (onFailure) => {
    if (!store.state.activeRound) throw new BadRequestError('the event was not sent: no round is active');
    return requests.send({ name: 'event', body: { event }, onFailure });
  });
  store.eventRecorded(response.event);
  return response;
}
