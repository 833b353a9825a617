import type { WalletAuthenticateResponse } from '@roundhouse/contract';
import type { WalletOperator } from '../ledger/queries/operators.ts';
import type { Outcome } from '../ledger/refusal.ts';
import type { WalletClient } from '../wallets/seamless/walletClient.ts';
import { walletRefusal } from '../wallets/seamless/walletResult.ts';

type VerificationRequest = {
  sessionID: string;
  gameID: string;
  /** Of the launch, when there was one. */
  token?: string;
};

/** Asks the operator who the player of an unknown session is. */
export type SessionVerification = (
  operator: WalletOperator,
  request: VerificationRequest,
) => Promise<Outcome<{ verified: WalletAuthenticateResponse }>>;

export function createSessionVerification(client: WalletClient): SessionVerification {
  return async (operator, request) => {
    // A launch is proof that the operator has sent this player; without one the sessionID may be anybody's invention.
    const caller = request.token === undefined ? 'strangers' : 'players';
    const result = await client.send(operator, 'authenticate', request, caller);
    return result.kind === 'accepted' ? { ok: true, verified: result.body } : walletRefusal(result);
  };
}
