import { type CurrencyCode, type Micros, toMicros } from '@roundhouse/contract';
import { settleWalletCalls } from '../commands.ts';
import type { Database } from '../database.ts';
import type { WalletCallState } from '../generated/enums.ts';

/** A call that was repeated for as long as it is worth while, and waits for a person. */
export type ParkedCall = {
  transactionID: string;
  kind: 'debit' | 'credit' | 'rollback';
  operator: string;
  /** The operator's name for the player. */
  playerID: string;
  roundID: bigint;
  amount: Micros;
  currency: CurrencyCode;
  since: Date;
  attempts: number;
  lastAnswer: string | null;
};

type Row = Omit<ParkedCall, 'amount'> & { amount: bigint };

/** The oldest first. */
export async function listParkedCalls(db: Database): Promise<ParkedCall[]> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT w.id AS "transactionID", w.kind::text AS kind, o.code AS operator, p.external_id AS "playerID", w.round_id AS "roundID",
      w.amount_micros AS amount, a.currency, w.created_at AS since, w.attempts, w.answer AS "lastAnswer"
    FROM wallet_calls w
    JOIN rounds r ON r.id = w.round_id
    JOIN accounts a ON a.id = r.account_id
    JOIN players p ON p.id = r.player_id
    JOIN operators o ON o.id = a.operator_id
    WHERE w.state = 'parked' ORDER BY w.created_at, w.id`;
  return rows.map((row) => ({ ...row, amount: toMicros(row.amount) }));
}

/** Hands parked calls, or the one that is named, back to recovery: due at once, and repeated as a new one is. Answers how many. */
export function retryParkedCalls(db: Database, which: 'all' | { transactionID: string }): Promise<number> {
  const id = which === 'all' ? null : which.transactionID;
  return db.$executeRaw`
    UPDATE wallet_calls
    SET state = 'pending', due_at = clock_timestamp(), retry_until = clock_timestamp() + wallet_call_patience()
    WHERE state = 'parked' AND (${id}::uuid IS NULL OR id = ${id}::uuid)`;
}

/** What the answer of a call that a person has settled begins with. */
export const SETTLED_BY_HAND = 'settled by hand: ';

/**
 * Settles a parked call as if the operator had accepted it, with all that follows for its round. Answers what it was instead when it was
 * not parked, undefined when there is no such call.
 */
export async function settleParkedCall(
  db: Database,
  { transactionID, reason }: { transactionID: string; reason: string },
): Promise<'settled' | Exclude<WalletCallState, 'parked'> | undefined> {
  const call = await findCall(db, transactionID);
  if (call === undefined) return undefined;
  if (call.state !== 'parked') return call.state;
  const [outcome] = await settleWalletCalls.run(db, [
    {
      playerID: call.playerID,
      callID: transactionID,
      verdict: 'accepted',
      answer: `${SETTLED_BY_HAND}${reason}`,
      autoClose: false,
    },
  ]);
  return outcome?.late === false ? 'settled' : 'accepted';
}

/** The state of a call; undefined when there is none. */
export async function stateOfCall(db: Database, transactionID: string): Promise<WalletCallState | undefined> {
  return (await findCall(db, transactionID))?.state;
}

async function findCall(db: Database, transactionID: string) {
  const [call] = await db.$queryRaw<{ state: WalletCallState; playerID: bigint }[]>`
    SELECT w.state::text AS state, r.player_id AS "playerID"
    FROM wallet_calls w JOIN rounds r ON r.id = w.round_id WHERE w.id = ${transactionID}::uuid`;
  return call;
}
