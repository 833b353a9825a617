import type { Ledger } from '../ledger/ledger.ts';
import type { Wallet } from './wallet.ts';

/** Balances in our own database: round and money move in one transaction, so there is nothing between them to recover. */
export function createHouseWallet(ledger: Ledger): Wallet {
  return {
    authenticate: ({ playerID, sessionRowID }) => ledger.authenticateSession({ playerID, sessionRowID }),
    balance: ({ playerID, sessionRowID }) => ledger.readBalance({ playerID, sessionRowID }),
    openRound: ({ playerID, sessionRowID }, bet) => ledger.openRound({ ...bet, playerID, sessionRowID }),
    closeRound: ({ playerID, sessionRowID }) => ledger.closeRound({ playerID, sessionRowID }),
  };
}
