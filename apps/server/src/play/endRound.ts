import type { BearerSession, ClosedRound } from '../wallets/wallet.ts';

/** Completes the active round and credits its payout; again on a completed one it pays nothing and answers the balance. */
export function endRound(session: BearerSession): Promise<ClosedRound> {
  return session.wallet.closeRound(session);
}
