import { MAX_MICROS, type RollbackRequest } from '@roundhouse/contract';
import { type LockedAccount, lockAccount } from '../ledger/accounts.ts';
import { type DatabaseTransaction, inTransaction } from '../ledger/database.ts';
import {
  barBet,
  findBet,
  findTransaction,
  type KnownTransaction,
  setBetState,
  writeTransaction,
} from '../ledger/transactions.ts';
import { belongsTo, type Outcome, refuse, repeatedOutcome } from './outcome.ts';
import type { WalletDeps } from './session.ts';

/** Rolls a bet back. It needs no session. Before its debit, it bars the debit for ever. */
export async function rollback({ ledger }: Pick<WalletDeps, 'ledger'>, request: RollbackRequest): Promise<Outcome> {
  const { transactionID, debitTransactionID, playerID, currency } = request;
  return inTransaction(ledger, async (tx) => {
    const account = await lockAccount(tx, { playerID, currency });
    const known = await findTransaction(tx, transactionID);
    const bet = await findBet(tx, debitTransactionID);
    if (known !== undefined) {
      const repeated = repeatedOutcome(known, account, contentOf(request));
      return repeated.ok && bet?.state === 'barred' ? notFound() : repeated;
    }
    if (bet === undefined) await barBet(tx, debitTransactionID);
    if (bet === undefined || bet.state === 'barred') {
      // Stores the id and shows the rollback in the statement. An unknown player has none.
      if (account !== undefined) await write(tx, account, { request, amount: 0n });
      return notFound();
    }

    const debit = await findTransaction(tx, debitTransactionID);
    if (account === undefined || debit === undefined || !belongsTo(debit, request)) {
      return refuse('ERR_VAL', 'the debit is of another round, player, game or currency');
    }
    if (bet.state === 'rolled_back') return { ok: true, balance: await write(tx, account, { request, amount: 0n }) };
    if (bet.state !== 'open') return refuse('ERR_VAL', 'the round has been paid');
    return rollBack(tx, account, { request, debit });
  });
}

async function rollBack(
  tx: DatabaseTransaction,
  account: LockedAccount,
  { request, debit }: { request: RollbackRequest; debit: KnownTransaction },
): Promise<Outcome> {
  if (account.balance + debit.amount > BigInt(MAX_MICROS)) return refuse('ERR_GE', 'the balance cannot hold the bet');
  const balance = await write(tx, account, { request, amount: debit.amount });
  await setBetState(tx, request.debitTransactionID, 'rolled_back');
  return { ok: true, balance };
}

function write(
  tx: DatabaseTransaction,
  account: LockedAccount,
  { request, amount }: { request: RollbackRequest; amount: bigint },
): Promise<bigint> {
  const { transactionID, debitTransactionID, roundID, gameID } = request;
  return writeTransaction(tx, account, {
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
  return refuse('ERR_BNF', 'there is no such debit; a later one is refused');
}
