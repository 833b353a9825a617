import { type Micros, toMicros } from '@roundhouse/contract';
import type { Database } from '../database.ts';
import { type Outcome, refused } from '../refusal.ts';
import { batchRows } from './batchRows.ts';

export type CloseRoundCommand = { playerID: bigint; sessionRowID: bigint };

/** closedRoundID is null when there was nothing left to complete. */
export type CloseRoundOutcome = Outcome<{ closedRoundID: bigint | null; balance: Micros }>;

const SQL = 'SELECT * FROM close_rounds($1::bigint[], $2::bigint[])';

type Row = { ordinal: bigint; outcome: string; round_id: bigint | null; balance_micros: bigint };

/** Completes open rounds and credits their payouts, house wallet. Idempotent: a completed round is not paid again. */
export async function closeRounds(db: Database, commands: readonly CloseRoundCommand[]): Promise<CloseRoundOutcome[]> {
  const columns = [commands.map((command) => command.playerID), commands.map((command) => command.sessionRowID)];
  const rows = await batchRows<Row>(db, { sql: SQL, columns, count: commands.length });
  return rows.map(toOutcome);
}

function toOutcome({ outcome, round_id, balance_micros }: Row): CloseRoundOutcome {
  if (outcome === 'closed') return { ok: true, closedRoundID: round_id, balance: toMicros(balance_micros) };
  if (outcome === 'nothing_open') return { ok: true, closedRoundID: null, balance: toMicros(balance_micros) };
  return refused(outcome);
}
