import type { Database } from '../database.ts';

/**
 * void: the bet is given back, or was before. unknown: no such round of this operator. paid: settled, or its payout is under way.
 * settling: the debit is not answered yet.
 */
export type VoidOutcome = 'void' | 'unknown' | 'paid' | 'settling';

/** Closes an open round without a payout. The reason is told to the operator's wallet, when it keeps the money. */
export async function voidRound(
  db: Database,
  { operatorID, roundID, reason }: { operatorID: number; roundID: bigint; reason: string },
): Promise<VoidOutcome> {
  const [row] = await db.$queryRaw<{ outcome: VoidOutcome }[]>`
    SELECT void_round(${operatorID}::integer, ${roundID}::bigint, ${reason}) AS outcome`;
  if (row === undefined) throw new Error('the database answered nothing');
  return row.outcome;
}
