import type { DebitRequest } from '@roundhouse/contract';
import { type LockedAccount, lockAccount } from '../ledger/accounts.ts';
import { findBet, openBet } from '../ledger/bets.ts';
import { type Entry, inTransaction } from '../ledger/books.ts';
import { findMovement, lossOfToday, writeMovement } from '../ledger/movements.ts';
import { findLiveSession, keepAlive } from '../ledger/sessions.ts';
import { judgeSession } from './judgeSession.ts';
import { type Outcome, type Refused, refuse } from './outcome.ts';
import { answerRepetition } from './repetition.ts';
import type { WalletParts } from './walletParts.ts';

/** Takes a bet. An id that was used is answered first: the call may be a repetition whose session has ended meanwhile. */
export async function debit({ books, house }: WalletParts, request: DebitRequest): Promise<Outcome> {
  const { transactionID, roundID, playerID, gameID, currency, mode, sessionID } = request;
  const amount = BigInt(request.amount);
  return inTransaction(books, async (entry) => {
    const account = await lockAccount(entry, { playerID, currency });
    const known = await findMovement(entry, transactionID);
    if (known !== undefined) {
      const content = { kind: 'debit', playerID, currency, roundID, gameID, mode, amount } as const;
      return answerRepetition(known, account, { ...content, debitTransactionID: null, roundClosed: null });
    }
    // In another state it was written by another player's call just now, and the id is found taken when it is written again.
    const bet = await findBet(entry, transactionID);
    if (bet?.state === 'barred') return refuse('ERR_VAL', 'the debit was rolled back before it came');

    const judged = judgeSession(await findLiveSession(entry.sql, sessionID), house);
    if (!judged.ok) return judged;
    if (account?.id !== judged.session.accountId || judged.session.gameID !== gameID) {
      return refuse('ERR_VAL', 'the session is for another player, game or currency');
    }
    const refused = await judgeAmount(entry, account, amount);
    if (refused !== undefined) return refused;

    await openBet(entry, account, transactionID);
    const balance = await writeMovement(entry, account, {
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
async function judgeAmount(entry: Entry, account: LockedAccount, amount: bigint): Promise<Refused | undefined> {
  const { dailyLossLimit, balance } = account;
  if (dailyLossLimit !== null && (await lossOfToday(entry, account)) + amount > dailyLossLimit) {
    return refuse('ERR_GLE', 'the daily loss limit of the player would be exceeded');
  }
  return amount > balance ? refuse('ERR_IPB', 'the balance does not cover the bet') : undefined;
}
