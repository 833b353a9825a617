import { randomUUID } from 'node:crypto';
import { MICROS_PER_UNIT } from '@roundhouse/contract';
import { type AccountName, type Balance, lockAccount, makeAccount, readBalances } from '../ledger/accounts.ts';
import { type Books, type Entry, inTransaction } from '../ledger/books.ts';
import { writeTransaction } from '../ledger/transactions.ts';

/** What the house gives a player who opens an account: 1,000 units of its currency. */
const OPENING_BALANCE = 1_000n * BigInt(MICROS_PER_UNIT);

/** Opens the account when it is not there, and answers what the player has. */
export async function enter(books: Books, name: AccountName): Promise<Balance[]> {
  await openAccount(books, name);
  return (await readBalances(books.db, name.playerID)) ?? [];
}

/** The account's id. A new one begins with the opening balance. */
export function openAccount(books: Books, name: AccountName): Promise<bigint> {
  return inTransaction(books, async (entry) => {
    const { isNew } = await makeAccount(entry, name);
    const account = await lockNamed(entry, name);
    if (isNew) {
      await writeTransaction(entry, account, { transactionID: randomUUID(), kind: 'deposit', amount: OPENING_BALANCE });
    }
    return account.id;
  });
}

/** Brings the balance to an amount by one deposit or withdrawal. */
export async function setBalance(books: Books, name: AccountName, balance: bigint): Promise<void> {
  await openAccount(books, name);
  await inTransaction(books, async (entry) => {
    const account = await lockNamed(entry, name);
    const change = balance - account.balance;
    if (change === 0n) return;
    const [kind, amount] = change > 0n ? (['deposit', change] as const) : (['withdrawal', -change] as const);
    await writeTransaction(entry, account, { transactionID: randomUUID(), kind, amount });
  });
}

async function lockNamed(entry: Entry, name: AccountName) {
  const account = await lockAccount(entry, name);
  if (account === undefined) throw new Error('an account that was just made is not there');
  return account;
}
