import type { SessionFacts } from '../ledger/queries/sessions.ts';
import type { Refused } from '../ledger/refusal.ts';

/** A session of a version that was withdrawn: the player launches again, and resumes on the new session. */
export function notServed({ gameID, gameVersion }: SessionFacts): Refused {
  return { ok: false, refusal: 'not_served', detail: `version ${gameVersion} of game ${gameID} is not served here` };
}
