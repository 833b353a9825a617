import type { LiveSession } from '../ledger/sessions.ts';
import { type Refused, refuse } from './outcome.ts';
import type { HouseRules } from './walletParts.ts';

/** Whether somebody may play in this session, in the order in which the wire answers: session, login, location. */
export function judgeSession(
  session: LiveSession | undefined,
  { blockedCountries }: HouseRules,
): { ok: true; session: LiveSession } | Refused {
  if (session === undefined) return refuse('ERR_IS', 'the session is not known or has timed out');
  if (session.loginHasExpired) return refuse('ERR_ATE', 'the login of the player has expired');
  if (session.country !== undefined && blockedCountries.has(session.country)) {
    return refuse('ERR_LOC', 'play is not allowed from the location of the player');
  }
  return { ok: true, session };
}
