import type { EndRoundResponse } from '@roundhouse/contract/light';
import type { Core } from './core.ts';
import { inKnownSession } from './session.ts';

/** Completes the active round, if there still is one: end-round is idempotent (wire.md). To be called in a turn of its own. */
export async function endRound(core: Core): Promise<EndRoundResponse> {
  const { wire, balanceOrder } = core;
  balanceOrder.changes();
  try {
    const answer = await inKnownSession(core, (onFailure) => wire.call({ name: 'endRound', body: {}, onFailure }));
    completed(core, answer);
    return answer;
  } finally {
    balanceOrder.changes();
  }
}

function completed({ store, netPosition }: Core, { balance }: EndRoundResponse): void {
  const { activeRound, round } = store.state;
  if (activeRound) netPosition.paid(activeRound);
  store.update({
    balance,
    round: activeRound ? { ...activeRound, active: false } : round,
    activeRound: undefined,
    netPositionMicros: netPosition.micros,
  });
}
