import { type CreditRequest, MAX_MICROS } from '@roundhouse/contract';
import { lockAccount } from '../ledger/accounts.ts';
import { inTransaction } from '../ledger/database.ts';
import { findBet, findTransaction, setBetState, writeTransaction } from '../ledger/transactions.ts';
import { belongsTo, type Outcome, refuse, repeatedOutcome } from './outcome.ts';
import type { WalletDeps } from './session.ts';

/** Pays a round, or closes it with an amount of 0. It needs no session. */
export async function credit({ ledger }: Pick<WalletDeps, 'ledger'>, request: CreditRequest): Promise<Outcome> {
  const { transactionID, debitTransactionID, roundID, playerID, gameID, currency, roundClosed } = request;
  const amount = BigInt(request.amount);
  return inTransaction(ledger, async (tx) => {
    const account = await lockAccount(tx, { playerID, currency });
    const known = await findTransaction(tx, transactionID);
    if (known !== undefined) {
      const content = { kind: 'credit', debitTransactionID, playerID, currency, roundID, gameID, roundClosed } as const;
      return repeatedOutcome(known, account, { ...content, amount, mode: null });
    }

    const debit = await findTransaction(tx, debitTransactionID);
    const bet = await findBet(tx, debitTransactionID);
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
    const balance = await writeTransaction(tx, account, transaction);
    await setBetState(tx, debitTransactionID, roundClosed ? 'closed' : 'credited');
    return { ok: true, balance };
  });
}
