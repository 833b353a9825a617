import type { DebitRequest } from '@roundhouse/contract';
import { type LockedAccount, lockAccount } from '../ledger/accounts.ts';
import { findBet, openBet } from '../ledger/bets.ts';
import { type Entry, inTransaction } from '../ledger/books.ts';
import { findLiveSession, keepAlive } from '../ledger/sessions.ts';
import { findTransaction, lossOfToday, writeTransaction } from '../ledger/transactions.ts';
import { answerRepetition, type Outcome, type Refused, refuse } from './outcome.ts';
import { checkSession, type WalletDeps } from './session.ts';

/** Takes a bet. An id that was used is answered first: the call may be a repetition whose session has ended meanwhile. */
export async function debit({ books, house }: WalletDeps, request: DebitRequest): Promise<Outcome> {
  const { transactionID, roundID, playerID, gameID, currency, mode, sessionID } = request;
  const amount = BigInt(request.amount);
  return inTransaction(books, async (entry) => {
    const account = await lockAccount(entry, { playerID, currency });
    const known = await findTransaction(entry, transactionID);
    if (known !== undefined) {
      const content = { kind: 'debit', playerID, currency, roundID, gameID, mode, amount } as const;
      return answerRepetition(known, account, { ...content, debitTransactionID: null, roundClosed: null });
    }
    // In another state it was written by another player's call just now, and the id is found taken when it is written again.
    const bet = await findBet(entry, transactionID);
    if (bet?.state === 'barred') return refuse('ERR_VAL', 'the debit was rolled back before it came');

    const checked = checkSession(await findLiveSession(entry.sql, sessionID), house);
    if (!checked.ok) return checked;
    if (account?.id !== checked.session.accountId || checked.session.gameID !== gameID) {
      return refuse('ERR_VAL', 'the session is for another player, game or currency');
    }
    const refused = await checkAmount(entry, account, amount);
    if (refused !== undefined) return refused;

    await openBet(entry, account, transactionID);
    const balance = await writeTransaction(entry, account, {
      transactionID,
      kind: 'debit',
      amount,
      roundID,
      gameID,
      mode,
    });
    await keepAlive(entry, sessionID, house.sessionTimeoutMs);
    return { ok: true, balance };
  });
}

/** The player's own limit comes before the balance, as on the game's wire. */
async function checkAmount(entry: Entry, account: LockedAccount, amount: bigint): Promise<Refused | undefined> {
  const { dailyLossLimit, balance } = account;
  if (dailyLossLimit !== null && (await lossOfToday(entry, account)) + amount > dailyLossLimit) {
    return refuse('ERR_GLE', 'the daily loss limit of the player would be exceeded');
  }
  return amount > balance ? refuse('ERR_IPB', 'the balance does not cover the bet') : undefined;
}
