import type { Micros } from '@roundhouse/contract';
import type { Database } from '../store/database/database.ts';

/** Sets a player's balance by one deposit from the operator's cashier, or one withdrawal to it. */
export async function setBalance(db: Database, accountId: bigint, balance: Micros): Promise<void> {
  await db.$transaction(async (tx) => {
    const [account] = await tx.$queryRaw<{ balance_micros: bigint; cashier_id: bigint }[]>`
      SELECT a.balance_micros, c.id AS cashier_id
      FROM accounts a
      JOIN accounts c ON c.operator_id = a.operator_id AND c.kind = 'cashier' AND c.currency = a.currency
      WHERE a.id = ${accountId}
      FOR NO KEY UPDATE OF a`;
    if (account === undefined) throw new Error(`account ${accountId} has no cashier`);
    const change = BigInt(balance) - account.balance_micros;
    if (change === 0n) return;
    const cashierId = account.cashier_id;
    await tx.transfer.create({
      data:
        change > 0n
          ? { kind: 'deposit', fromAccountId: cashierId, toAccountId: accountId, amountMicros: change }
          : { kind: 'withdrawal', fromAccountId: accountId, toAccountId: cashierId, amountMicros: -change },
    });
    await tx.account.update({ where: { id: accountId }, data: { balanceMicros: balance } });
  });
}
