import type { Micros } from '@roundhouse/contract';
import type { Database } from '../database.ts';
import { type Outcome, refused } from '../refusal.ts';
import { arrayLiteral, batchRows, heldBalance, NO_SESSION } from './batchRows.ts';

export type ReadBalanceCommand = { playerID: bigint; sessionRowID: bigint };

/** Undefined where the operator keeps the money. */
export type ReadBalanceOutcome = Outcome<{ balance: Micros | undefined }>;

const STATEMENT = {
  name: 'read_balances',
  text: 'SELECT * FROM read_balances($1::bigint[])',
};

type Row = { ordinal: bigint; outcome: string; balance_micros: bigint | null };

/** Reads balances of live sessions; extends nothing, because clients poll it. */
export async function readBalances(
  db: Database,
  commands: readonly ReadBalanceCommand[],
): Promise<ReadBalanceOutcome[]> {
  const columns = [arrayLiteral(commands, (command) => command.sessionRowID)];
  const rows = await batchRows<Row>(db, { statement: STATEMENT, columns, count: commands.length, noRow: NO_SESSION });
  return rows.map(({ outcome, balance_micros }) =>
    outcome === 'read' ? { ok: true, balance: heldBalance(balance_micros) } : refused(outcome),
  );
}
