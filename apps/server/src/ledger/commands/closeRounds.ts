import type { Micros } from '@roundhouse/contract';
import type { Database } from '../database.ts';
import { type Outcome, refused } from '../refusal.ts';
import { arrayLiteral, batchRows, heldBalance, NO_SESSION } from './batchRows.ts';

export type CloseRoundCommand = { playerID: bigint; sessionRowID: bigint };

/**
 * closedRoundID is null when there was nothing left to complete. Where the operator keeps the money balance is undefined, and while
 * creditID is there the round is still open: the operator has to accept that credit first.
 */
export type CloseRoundOutcome = Outcome<{
  closedRoundID: bigint | null;
  balance: Micros | undefined;
  creditID: string | undefined;
}>;

const STATEMENT = {
  name: 'close_rounds',
  text: 'SELECT * FROM close_rounds($1::bigint[], $2::bigint[])',
};

type Row = {
  ordinal: bigint;
  outcome: string;
  round_id: bigint | null;
  balance_micros: bigint | null;
  credit_id: string | null;
};

/** Completes open rounds and credits their payouts, or writes down the credits to be asked for. Idempotent: nothing is paid twice. */
export async function closeRounds(db: Database, commands: readonly CloseRoundCommand[]): Promise<CloseRoundOutcome[]> {
  const columns = [
    arrayLiteral(commands, (command) => command.playerID),
    arrayLiteral(commands, (command) => command.sessionRowID),
  ];
  const rows = await batchRows<Row>(db, { statement: STATEMENT, columns, count: commands.length, noRow: NO_SESSION });
  return rows.map(toOutcome);
}

function toOutcome({ outcome, round_id, balance_micros, credit_id }: Row): CloseRoundOutcome {
  const balance = heldBalance(balance_micros);
  if (outcome === 'closed') return { ok: true, closedRoundID: round_id, balance, creditID: undefined };
  if (outcome === 'owed' && credit_id !== null) return { ok: true, closedRoundID: null, balance, creditID: credit_id };
  if (outcome === 'nothing_open') return { ok: true, closedRoundID: null, balance, creditID: undefined };
  return refused(outcome);
}
