import { isRgsError } from '../errors.ts';
import { authenticate } from './authenticate.ts';
import type { Core } from './core.ts';
import { isUnanswered } from './unanswered.ts';

/** Told of each attempt of a call that failed. */
type OnFailure = (error: unknown) => void;

/**
 * A call about the round. It starts from a known state: it authenticates first when that is not known, and once more when the session
 * has timed out, because a session that the operator still vouches for comes back to life (wire.md, "Session"). When it fails
 * and leaves unknown what the server has done, the state says so.
 */
export async function inKnownSession<Answer>(
  core: Core,
  call: (onFailure: OnFailure) => Promise<Answer>,
): Promise<Answer> {
  let isUnknown = false;
  const onFailure: OnFailure = (error) => {
    isUnknown ||= isUnanswered(error);
  };
  try {
    if (core.store.state.needsAuthenticate) await authenticate(core);
    return await call(onFailure).catch(async (error) => {
      if (!isTimedOut(error)) throw error;
      await authenticate(core);
      return call(onFailure);
    });
  } catch (error) {
    if (isUnknown || leavesUnknown(error)) core.store.update({ needsAuthenticate: true });
    throw error;
  }
}

export function isSessionOver(error: unknown): boolean {
  return isRgsError(error) && error.kind === 'session-over';
}

/** Authenticate may bring it back to life. */
export function isTimedOut(error: unknown): boolean {
  return isRgsError(error) && error.code === 'ERR_IS';
}

/**
 * Whether the server's truth may be another than what is known here. It may when the session is over, and when the server found a
 * request wrong that was right by what is known here: another tab of the player has opened or ended a round.
 */
function leavesUnknown(error: unknown): boolean {
  if (isUnanswered(error)) return true;
  return isSessionOver(error) || (isRgsError(error) && error.kind === 'bad-request' && !!error.code);
}
