import type { BearerSession, ClosedRound, Wallet } from '../wallets/wallet.ts';

/** Completes the active round and credits its payout; again on a completed one it pays nothing and answers the balance. */
export function endRound({ wallet }: { wallet: Wallet }, session: BearerSession): Promise<ClosedRound> {
  return wallet.closeRound(session);
}
