import { type Micros, toMicros } from '@roundhouse/contract';
import type { Database } from '../database.ts';
import { type Outcome, refused } from '../refusal.ts';
import { batchRows } from './batchRows.ts';

export type ReadBalanceCommand = { playerID: bigint; sessionRowID: bigint };

export type ReadBalanceOutcome = Outcome<{ balance: Micros }>;

const SQL = 'SELECT * FROM read_balances($1::bigint[])';

type Row = { ordinal: bigint; outcome: string; balance_micros: bigint };

/** Reads balances of live sessions; extends nothing, because clients poll it. */
export async function readBalances(
  db: Database,
  commands: readonly ReadBalanceCommand[],
): Promise<ReadBalanceOutcome[]> {
  const columns = [commands.map((command) => command.sessionRowID)];
  const rows = await batchRows<Row>(db, { sql: SQL, columns, count: commands.length });
  return rows.map(({ outcome, balance_micros }) =>
    outcome === 'read' ? { ok: true, balance: toMicros(balance_micros) } : refused(outcome),
  );
}
