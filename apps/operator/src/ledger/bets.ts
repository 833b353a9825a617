import type { LockedAccount } from './accounts.ts';
import type { Entry } from './books.ts';
import type { BetState } from './generated/enums.ts';

/** What is known about a debit. */
export type KnownBet = { state: BetState };

export async function findBet({ sql }: Entry, debitTransactionID: string): Promise<KnownBet | undefined> {
  const [bet] = await sql.$queryRaw<KnownBet[]>`SELECT state FROM bets WHERE debit_id = ${debitTransactionID}::uuid`;
  return bet;
}

/** A bet is taken: from now on it can be paid or rolled back. */
export async function openBet({ sql }: Entry, account: LockedAccount, debitTransactionID: string): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO bets (debit_id, state, account_id) VALUES (${debitTransactionID}::uuid, 'open', ${account.id})`;
}

/** A debit that has not come is given up: should it still come, it is refused. */
export async function barBet({ sql }: Entry, debitTransactionID: string): Promise<void> {
  await sql.$executeRaw`INSERT INTO bets (debit_id, state) VALUES (${debitTransactionID}::uuid, 'barred')`;
}

export async function setBetState({ sql }: Entry, debitTransactionID: string, state: BetState): Promise<void> {
  await sql.$executeRaw`UPDATE bets SET state = ${state}::bet_state WHERE debit_id = ${debitTransactionID}::uuid`;
}
