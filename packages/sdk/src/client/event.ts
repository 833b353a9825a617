import {
  type EventResponse,
  isStorableText,
  isWithinCharacters,
  MAX_EVENT_CHARACTERS,
} from '@roundhouse/contract/light';
import { BadRequestError } from '../errors.ts';
import type { Core } from './core.ts';
import { inKnownSession } from './session.ts';

/** Records an action of the player in the active round. To be called in a turn of its own, so that events arrive in their order. */
export async function recordEvent(core: Core, event: string): Promise<EventResponse> {
  const { store, wire } = core;
  if (typeof event !== 'string' || !isWithinCharacters(event, MAX_EVENT_CHARACTERS) || !isStorableText(event)) {
    throw new BadRequestError(`the event was not sent: it must have 1 to ${MAX_EVENT_CHARACTERS} characters`);
  }
  const answer = await inKnownSession(core, async (onFailure) => {
    if (!store.state.activeRound) throw new BadRequestError('the event was not sent: no round is active');
    return wire.call({ name: 'event', body: { event }, onFailure });
  });
  const { activeRound } = store.state;
  const round = activeRound && { ...activeRound, event: answer.event };
  if (round) store.update({ round, activeRound: round });
  return answer;
}
