import type { AuthenticateResponse, BalanceResponse, EndRoundResponse } from '@roundhouse/contract/light';
import { BadRequestError } from '../errors.ts';
import { authenticate } from './authenticate.ts';
import { readBalance } from './balance.ts';
import type { Client } from './clientTypes.ts';
import type { Core } from './core.ts';
import { endRound } from './endRound.ts';
import { recordEvent } from './event.ts';
import { play } from './play.ts';
import { isSessionOver, isTimedOut } from './session.ts';

export type SessionCalls = Pick<Client, 'authenticate' | 'balance' | 'play' | 'endRound' | 'event'>;

/** The calls of a session, each in its turn. */
export function createSessionCalls(core: Core): SessionCalls {
  const { store, inTurn } = core;
  let deciding: 'play' | 'endRound' | undefined;
  let authenticating: Promise<AuthenticateResponse> | undefined;

  const showPending = () => store.update({ pending: deciding ?? (authenticating && 'authenticate') });

  async function decide<Answer>(name: 'play' | 'endRound', task: () => Promise<Answer>): Promise<Answer> {
    if (deciding) throw new BadRequestError(`${name} was not sent: ${deciding} is under way`);
    deciding = name;
    showPending();
    try {
      return await inTurn(task);
    } finally {
      deciding = undefined;
      showPending();
    }
  }

  function authenticateShared(): Promise<AuthenticateResponse> {
    authenticating ??= inTurn(() => authenticate(core)).finally(() => {
      authenticating = undefined;
      showPending();
    });
    showPending();
    return authenticating;
  }

  return {
    authenticate: authenticateShared,
    async balance(): Promise<BalanceResponse> {
      try {
        return await readBalance(core);
      } catch (error) {
        if (isSessionOver(error)) store.update({ needsAuthenticate: true });
        if (!isTimedOut(error)) throw error;
        await authenticateShared();
        return readBalance(core);
      }
    },
    play({ amount, mode }) {
      // A copy, and a mode that is a text: what the caller hands over may change, or be anything, before its turn comes.
      const bet = { amount, mode: String(mode) };
      return decide('play', () => play(core, bet));
    },
    endRound: (): Promise<EndRoundResponse> => decide('endRound', () => endRound(core)),
    event: (event) => inTurn(() => recordEvent(core, event)),
  };
}
