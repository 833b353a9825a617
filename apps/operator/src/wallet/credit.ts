import { type CreditRequest, MAX_MICROS } from '@roundhouse/contract';
import { lockAccount } from '../ledger/accounts.ts';
import { findBet, setBetState } from '../ledger/bets.ts';
import { inTransaction } from '../ledger/books.ts';
import { findMovement, writeMovement } from '../ledger/movements.ts';
import { belongsTo } from './answeredDebit.ts';
import { type Outcome, refuse } from './outcome.ts';
import { answerRepetition } from './repetition.ts';
import type { WalletParts } from './walletParts.ts';

/** Pays a round, or closes it with nothing. It needs no session: what is owed is owed. */
export async function credit({ books }: Pick<WalletParts, 'books'>, request: CreditRequest): Promise<Outcome> {
  const { transactionID, debitTransactionID, roundID, playerID, gameID, currency, roundClosed } = request;
  const amount = BigInt(request.amount);
  return inTransaction(books, async (entry) => {
    const account = await lockAccount(entry, { playerID, currency });
    const known = await findMovement(entry, transactionID);
    if (known !== undefined) {
      const content = { kind: 'credit', debitTransactionID, playerID, currency, roundID, gameID, roundClosed } as const;
      return answerRepetition(known, account, { ...content, amount, mode: null });
    }

    const debit = await findMovement(entry, debitTransactionID);
    const bet = await findBet(entry, debitTransactionID);
    if (debit === undefined || bet === undefined) return refuse('ERR_BNF', 'there is no such debit');
    if (account === undefined || !belongsTo(debit, request)) {
      return refuse('ERR_VAL', 'the debit is of another round, player, game or currency');
    }
    if (bet.state === 'given_back') return refuse('ERR_VAL', 'the debit was rolled back');
    if (bet.state === 'closed') return refuse('ERR_VAL', 'the round is closed');
    if (account.balance + amount > BigInt(MAX_MICROS)) return refuse('ERR_GE', 'the balance cannot hold the payout');

    const movement = {
      transactionID,
      kind: 'credit',
      amount,
      debitTransactionID,
      roundID,
      gameID,
      roundClosed,
    } as const;
    const balance = await writeMovement(entry, account, movement);
    await setBetState(entry, debitTransactionID, roundClosed ? 'closed' : 'credited');
    return { ok: true, balance };
  });
}
