import type { PlayResponse } from '@roundhouse/contract/light';
import { BadRequestError, isRgsError } from '../errors.ts';
import { readBalance } from './balance.ts';
import { requireGoodBet } from './betCheck.ts';
import type { Bet } from './clientTypes.ts';
import type { Core } from './core.ts';
import { isSameBet } from './pendingPlay.ts';
import { inKnownSession } from './session.ts';

/** Places a bet, once, whatever becomes of the answers. To be called in a turn of its own. */
export async function play(core: Core, bet: Bet): Promise<PlayResponse> {
  const { pendingPlays } = core;
  let wasLost = pendingPlays.isUnsettled(bet);
  try {
    return await inKnownSession(core, async (onFailure) => {
      const found = wasLost && !pendingPlays.isUnsettled() ? foundRound(core, bet) : undefined;
      try {
        return found ?? (await send(core, bet, onFailure));
      } finally {
        wasLost = pendingPlays.isUnsettled(bet);
      }
    });
  } catch (error) {
    pendingPlays.refused();
    // The balance known here was wrong: the player must see the one that does not suffice.
    if (isRgsError(error) && error.kind === 'insufficient-funds') {
      await readBalance(core, { maxRetries: 0 }).catch(() => undefined);
    }
    throw error;
  }
}

/** This very bet was lost, and authenticate has just shown its round: that is the answer, and no second bet is placed. */
function foundRound({ store }: Core, bet: Bet): PlayResponse | undefined {
  const { balance, round } = store.state;
  return balance && round && isSameBet(round, bet) ? { balance, round } : undefined;
}

async function send(core: Core, bet: Bet, onFailure: (error: unknown) => void): Promise<PlayResponse> {
  const { store, wire, pendingPlays, balanceOrder } = core;
  requireMayPlay(core, bet);
  const idempotencyKey = pendingPlays.begin(bet, store.state.round);
  balanceOrder.changes();
  try {
    const answer = await wire.call({
      name: 'play',
      body: { amount: bet.amount, mode: bet.mode },
      idempotencyKey,
      onFailure(error) {
        pendingPlays.failed(error);
        onFailure(error);
      },
    });
    pendingPlays.answered();
    opened(core, answer);
    return answer;
  } finally {
    balanceOrder.changes();
  }
}

/** @throws BadRequestError for what the server would refuse: nothing is sent then */
function requireMayPlay({ store, strictBetLevels, pace }: Core, bet: Bet): void {
  const { config, activeRound } = store.state;
  if (activeRound) throw new BadRequestError('the bet was not sent: a round is active');
  if (!config) return;
  requireGoodBet(bet, config, { strictBetLevels });
  const msLeft = pace.msLeft(config.jurisdiction.minimumRoundDuration);
  if (msLeft > 0) throw new BadRequestError(`the bet was not sent: the next one is allowed in ${msLeft} ms`);
}

function opened({ store, netPosition, pace }: Core, { balance, round }: PlayResponse): void {
  netPosition.debited(round);
  if (!round.active) netPosition.paid(round);
  pace.saw(round);
  const activeRound = round.active ? round : undefined;
  store.update({ balance, round, activeRound, netPositionMicros: netPosition.micros });
}
