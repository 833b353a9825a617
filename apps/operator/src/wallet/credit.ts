import { type CreditRequest, MAX_MICROS } from '@roundhouse/contract';
import { lockAccount } from '../ledger/accounts.ts';
import { findBet, setBetState } from '../ledger/bets.ts';
import { inTransaction } from '../ledger/books.ts';
import { findTransaction, writeTransaction } from '../ledger/transactions.ts';
import { answerRepetition, belongsTo, type Outcome, refuse } from './outcome.ts';
import type { WalletDeps } from './session.ts';

/** Pays a round, or closes it with nothing. It needs no session: what is owed is owed. */
export async function credit({ books }: Pick<WalletDeps, 'books'>, request: CreditRequest): Promise<Outcome> {
  const { transactionID, debitTransactionID, roundID, playerID, gameID, currency, roundClosed } = request;
  const amount = BigInt(request.amount);
  return inTransaction(books, async (entry) => {
    const account = await lockAccount(entry, { playerID, currency });
    const known = await findTransaction(entry, transactionID);
    if (known !== undefined) {
      const content = { kind: 'credit', debitTransactionID, playerID, currency, roundID, gameID, roundClosed } as const;
      return answerRepetition(known, account, { ...content, amount, mode: null });
    }

    const debit = await findTransaction(entry, debitTransactionID);
    const bet = await findBet(entry, debitTransactionID);
    if (debit === undefined || bet === undefined) return refuse('ERR_BNF', 'there is no such debit');
    if (account === undefined || !belongsTo(debit, request)) {
      return refuse('ERR_VAL', 'the debit is of another round, player, game or currency');
    }
    if (bet.state === 'rolled_back') return refuse('ERR_VAL', 'the debit was rolled back');
    if (bet.state === 'closed') return refuse('ERR_VAL', 'the round is closed');
    if (account.balance + amount > BigInt(MAX_MICROS)) return refuse('ERR_GE', 'the balance cannot hold the payout');

    const transaction = {
      transactionID,
      kind: 'credit',
      amount,
      debitTransactionID,
      roundID,
      gameID,
      roundClosed,
    } as const;
    const balance = await writeTransaction(entry, account, transaction);
    await setBetState(entry, debitTransactionID, roundClosed ? 'closed' : 'credited');
    return { ok: true, balance };
  });
}
