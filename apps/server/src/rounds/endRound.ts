import type { CloseRoundOutcome } from '../ledger/commands/closeRounds.ts';
import type { SessionFacts } from '../ledger/queries/findSession.ts';
import type { Wallet } from '../wallets/wallet.ts';

/** Completes the active round and credits its payout; again on a completed one it pays nothing and answers the balance. */
export function endRound({ wallet }: { wallet: Wallet }, session: SessionFacts): Promise<CloseRoundOutcome> {
  return wallet.closeRound(session);
}
