import type { DebitRequest } from '@roundhouse/contract';
import { type LockedAccount, lockAccount } from '../ledger/accounts.ts';
import { type DatabaseTransaction, inTransaction } from '../ledger/database.ts';
import { findLiveSession, keepAlive } from '../ledger/sessions.ts';
import { findBet, findTransaction, lossOfToday, openBet, writeTransaction } from '../ledger/transactions.ts';
import { type Outcome, type Refused, refuse, repeatedOutcome } from './outcome.ts';
import { checkSession, type WalletDeps } from './session.ts';

/** Takes a bet. It looks for a repetition first, because its session may have ended since. */
export async function debit({ ledger, rules }: WalletDeps, request: DebitRequest): Promise<Outcome> {
  const { transactionID, roundID, playerID, gameID, currency, mode, sessionID } = request;
  const amount = BigInt(request.amount);
  return inTransaction(ledger, async (tx) => {
    const account = await lockAccount(tx, { playerID, currency });
    const known = await findTransaction(tx, transactionID);
    if (known !== undefined) {
      const content = { kind: 'debit', playerID, currency, roundID, gameID, mode, amount } as const;
      return repeatedOutcome(known, account, { ...content, debitTransactionID: null, roundClosed: null });
    }
    // In another state, a request of another player is writing this id: then the INSERT conflicts.
    const bet = await findBet(tx, transactionID);
    if (bet?.state === 'barred') return refuse('ERR_VAL', 'the debit was rolled back before it arrived');

    const checked = checkSession(await findLiveSession(tx.sql, sessionID), rules);
    if (!checked.ok) return checked;
    if (account?.id !== checked.session.accountId || checked.session.gameID !== gameID) {
      return refuse('ERR_VAL', 'the session is for another player, game or currency');
    }
    const refused = await checkAmount(tx, account, amount);
    if (refused !== undefined) return refused;

    await openBet(tx, account, transactionID);
    const balance = await writeTransaction(tx, account, {
      transactionID,
      kind: 'debit',
      amount,
      roundID,
      gameID,
      mode,
    });
    await keepAlive(tx, sessionID, rules.sessionTimeoutMs);
    return { ok: true, balance };
  });
}

/** The limit comes before the balance, as in the game protocol. */
async function checkAmount(
  tx: DatabaseTransaction,
  account: LockedAccount,
  amount: bigint,
): Promise<Refused | undefined> {
  const { dailyLossLimit, balance } = account;
  if (dailyLossLimit !== null && (await lossOfToday(tx, account)) + amount > dailyLossLimit) {
    return refuse('ERR_GLE', 'the daily loss limit of the player would be exceeded');
  }
  return amount > balance ? refuse('ERR_IPB', 'the balance does not cover the bet') : undefined;
}
