import type { WalletAuthenticateResponse } from '@roundhouse/contract';
import type { WalletOperator } from '../ledger/queries/walletOperator.ts';
import type { Outcome } from '../ledger/refusal.ts';
import type { WalletClient } from '../wallets/seamless/walletClient.ts';
import { walletRefusal } from '../wallets/seamless/walletRefusals.ts';

type Question = {
  sessionID: string;
  gameID: string;
  /** Of the launch, when there was one. */
  token?: string;
};

/** Asks an operator who the player of a session is that this server has not seen. */
export type SessionVerification = (
  operator: WalletOperator,
  question: Question,
) => Promise<Outcome<{ vouched: WalletAuthenticateResponse }>>;

export function createSessionVerification(client: WalletClient): SessionVerification {
  return async (operator, question) => {
    // A launch is proof that the operator has sent this player; without one the sessionID may be anybody's invention.
    const caller = question.token === undefined ? 'strangers' : 'players';
    const answer = await client.call(operator, 'authenticate', question, caller);
    return answer.kind === 'accepted' ? { ok: true, vouched: answer.body } : walletRefusal(answer);
  };
}
