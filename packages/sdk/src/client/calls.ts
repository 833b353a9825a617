import {
  type BalanceResponse,
  type EndRoundResponse,
  type EventResponse,
  isStorableText,
  isWithinCharacters,
  MAX_EVENT_CHARACTERS,
} from '@roundhouse/contract/light';
import { BadRequestError } from '../errors.ts';
import { type Core, inKnownSession } from './session.ts';

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
 * Completes the active round, if there still is one: end-round is idempotent. To be called in a
 * turn of its own.
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
 * Records an action of the active round. To be called in a turn of its own, so that events arrive
 * in their order.
 */
export async function recordEvent(core: Core, event: string): Promise<EventResponse> {
  const { store, requests } = core;
  if (typeof event !== 'string' || !isWithinCharacters(event, MAX_EVENT_CHARACTERS) || !isStorableText(event)) {
    throw new BadRequestError(`the event was not sent: it must have 1 to ${MAX_EVENT_CHARACTERS} characters`);
  }
  const response = await inKnownSession(core, async (onFailure) => {
    if (!store.state.activeRound) throw new BadRequestError('the event was not sent: no round is active');
    return requests.send({ name: 'event', body: { event }, onFailure });
  });
  store.eventRecorded(response.event);
  return response;
}
