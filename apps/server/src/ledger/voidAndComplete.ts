import type { Database } from '../store/database/database.ts';

/**
 * void: the round is void now. was_void: it was void before. unknown: the operator has no such
 * round. was_completed: also when its credit is pending. settling: the debit has no result yet.
 */
export type VoidOutcome = 'void' | 'was_void' | 'unknown' | 'was_completed' | 'settling';

/** Makes an open round void. The rollback carries the reason to the operator's wallet. */
export async function voidRound(
  db: Database,
  { operatorID, roundID, reason }: { operatorID: number; roundID: bigint; reason: string },
): Promise<VoidOutcome> {
  const [row] = await db.$queryRaw<{ outcome: VoidOutcome }[]>`
    SELECT void_round(${operatorID}::integer, ${roundID}::bigint, ${reason}) AS outcome`;
  if (row === undefined) throw new Error('void_round returned no row');
  return row.outcome;
}

/** complete_round.sql says what each of them means. */
export type CompleteOutcome =
  | 'completed'
  | 'was_completed'
  | 'void'
  | 'unknown'
  | 'settling'
  | 'forbidden'
  | 'balance_overflow';

/**
 * Completes one open round whose player does not come back, and credits its payout or stores the
 * credit. Repeated, it changes nothing.
 */
export async function completeRound(
  db: Database,
  { roundID, reason }: { roundID: bigint; reason: string },
): Promise<CompleteOutcome> {
  const [row] = await db.$queryRaw<{ outcome: CompleteOutcome }[]>`
    SELECT complete_round(${roundID}::bigint, ${reason}) AS outcome`;
  if (row === undefined) throw new Error('complete_round returned no row');
  return row.outcome;
}

/**
 * Completes rounds that are due, `most` at once, and credits them or stores their credits. Returns
 * their ids.
 */
export async function completeRounds(db: Database, most: number): Promise<bigint[]> {
  const rows = await db.$queryRaw<{ round_id: bigint }[]>`SELECT round_id FROM complete_rounds(${most}::integer)`;
  return rows.map(({ round_id }) => round_id);
}
