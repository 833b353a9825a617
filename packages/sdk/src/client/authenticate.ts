import { type AuthenticateResponse, isRound } from '@roundhouse/contract/light';
import { isRgsError } from '../errors.ts';
import type { Core } from './core.ts';

/** Asks the server where the player stands, and believes it. To be called in a turn of its own, or within that of another call. */
export async function authenticate(core: Core): Promise<AuthenticateResponse> {
  core.balanceOrder.changes();
  try {
    const answer = await core.wire.call({ name: 'authenticate', body: {} });
    believe(core, answer);
    return answer;
  } catch (error) {
    if (isRgsError(error) && error.kind === 'session-over') core.store.update({ needsAuthenticate: true });
    throw error;
  } finally {
    core.balanceOrder.changes();
  }
}

function believe({ store, pendingPlays, netPosition, pace }: Core, answer: AuthenticateResponse): void {
  const { balance, config } = answer;
  const round = isRound(answer.round) ? answer.round : undefined;
  const before = store.state;
  const wasActive = before.activeRound;

  // A lost play counts only when it was sent in this client's life: before the first authenticate it cannot have been.
  if (pendingPlays.settle(round) && round && before.config) {
    netPosition.debited(round);
    if (!round.active) netPosition.paid(round);
  }
  if (wasActive && (wasActive.betID !== round?.betID || !round.active)) netPosition.paid(wasActive);
  pace.saw(round);
  store.update({
    balance,
    config,
    round,
    activeRound: round?.active ? round : undefined,
    needsAuthenticate: false,
    sessionStartedAtMs: before.sessionStartedAtMs ?? Date.now(),
    netPositionMicros: netPosition.micros,
  });
}
