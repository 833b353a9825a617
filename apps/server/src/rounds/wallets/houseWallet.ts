import type { Micros } from '@roundhouse/contract';
import type { Outcome } from '../../base/refusal.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { openRound } from './openRound.ts';
import type { Wallet } from './wallet.ts';

/**
 * Our own database keeps the balances: round and money move in one transaction, so there is nothing
 * to recover.
 */
export function createHouseWallet(ledger: Ledger): Wallet {
  return {
    authenticate: async ({ playerID, sessionRowID, trace }) =>
      requireBalance(await ledger.authenticateSession({ playerID, sessionRowID }, trace)),
    balance: async ({ playerID, sessionRowID, trace }) =>
      requireBalance(await ledger.readBalance({ playerID, sessionRowID }, trace)),
    openRound: async ({ playerID, sessionRowID, trace }, bet) =>
      requireBalance(await openRound(ledger, { playerID, sessionRowID, walletDown: false, ...bet }, trace)),
    refuseBet: async ({ playerID, sessionRowID, trace }, bet) =>
      requireBalance(await ledger.refuseBet({ playerID, sessionRowID, ...bet }, trace)),
    async endRound({ playerID, sessionRowID, trace }) {
      const ended = await ledger.endRound({ playerID, sessionRowID }, trace);
      if (!ended.ok || ended.grantID === undefined) return requireBalance(ended);
      // If the round ends its grant, the grant may have paid more than the round.
      const read = await ledger.readBalance({ playerID, sessionRowID }, trace);
      return requireBalance(read.ok ? { ...ended, balance: read.balance } : ended);
    },
  };
}

/** The account of the house wallet keeps a balance. */
function requireBalance<Value extends { balance: Micros | undefined }>(
  outcome: Outcome<Value>,
): Outcome<Value & { balance: Micros }> {
  if (outcome.ok && outcome.balance === undefined) throw new Error('an account of the house wallet keeps no balance');
  return outcome as Outcome<Value & { balance: Micros }>;
}
