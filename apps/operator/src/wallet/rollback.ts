import { MAX_MICROS, type RollbackRequest } from '@roundhouse/contract';
import { type LockedAccount, lockAccount } from '../ledger/accounts.ts';
import { barBet, findBet, setBetState } from '../ledger/bets.ts';
import { type Entry, inTransaction } from '../ledger/books.ts';
import { findTransaction, type KnownTransaction, writeTransaction } from '../ledger/transactions.ts';
import { answerRepetition, belongsTo, type Outcome, refuse } from './outcome.ts';
import type { WalletDeps } from './session.ts';

/** Rolls a bet back. It needs no session, and it may come before its debit, which is then refused for ever. */
export async function rollback({ books }: Pick<WalletDeps, 'books'>, request: RollbackRequest): Promise<Outcome> {
  const { transactionID, debitTransactionID, playerID, currency } = request;
  return inTransaction(books, async (entry) => {
    const account = await lockAccount(entry, { playerID, currency });
    const known = await findTransaction(entry, transactionID);
    const bet = await findBet(entry, debitTransactionID);
    if (known !== undefined) {
      const repeated = answerRepetition(known, account, contentOf(request));
      return repeated.ok && bet?.state === 'barred' ? notFound() : repeated;
    }
    if (bet === undefined) await barBet(entry, debitTransactionID);
    if (bet === undefined || bet.state === 'barred') {
      // The id is spent, and the player's statement shows that something was tried. Whom we do not know has no statement.
      if (account !== undefined) await write(entry, account, { request, amount: 0n });
      return notFound();
    }

    const debit = await findTransaction(entry, debitTransactionID);
    if (account === undefined || debit === undefined || !belongsTo(debit, request)) {
      return refuse('ERR_VAL', 'the debit is of another round, player, game or currency');
    }
    if (bet.state === 'rolled_back') return { ok: true, balance: await write(entry, account, { request, amount: 0n }) };
    if (bet.state !== 'open') return refuse('ERR_VAL', 'the round has been paid');
    return rollBack(entry, account, { request, debit });
  });
}

async function rollBack(
  entry: Entry,
  account: LockedAccount,
  { request, debit }: { request: RollbackRequest; debit: KnownTransaction },
): Promise<Outcome> {
  if (account.balance + debit.amount > BigInt(MAX_MICROS)) return refuse('ERR_GE', 'the balance cannot hold the bet');
  const balance = await write(entry, account, { request, amount: debit.amount });
  await setBetState(entry, request.debitTransactionID, 'rolled_back');
  return { ok: true, balance };
}

function write(
  entry: Entry,
  account: LockedAccount,
  { request, amount }: { request: RollbackRequest; amount: bigint },
): Promise<bigint> {
  const { transactionID, debitTransactionID, roundID, gameID } = request;
  return writeTransaction(entry, account, {
    transactionID,
    kind: 'rollback',
    amount,
    debitTransactionID,
    roundID,
    gameID,
  });
}

function contentOf({ debitTransactionID, playerID, currency, roundID, gameID }: RollbackRequest) {
  const content = { kind: 'rollback', debitTransactionID, playerID, currency, roundID, gameID } as const;
  return { ...content, amount: undefined, mode: null, roundClosed: null };
}

function notFound(): Outcome {
  return refuse('ERR_BNF', 'there is no such debit; should it come, it is refused');
}
