import type { Micros } from '@roundhouse/contract';
import type { Database } from '../database.ts';
import { type Outcome, refused } from '../refusal.ts';
import { arrayLiteral, batchRows, heldBalance, NO_SESSION } from './batchRows.ts';

export type AuthenticateCommand = { playerID: bigint; sessionRowID: bigint };

/** balance is undefined where the operator keeps the money. latestRoundID is the active round of the player and game, else the last one, else null. */
export type AuthenticateOutcome = Outcome<{ balance: Micros | undefined; latestRoundID: bigint | null }>;

const STATEMENT = {
  name: 'authenticate_sessions',
  text: 'SELECT * FROM authenticate_sessions($1::bigint[], $2::bigint[])',
};

type Row = { ordinal: bigint; outcome: string; balance_micros: bigint | null; round_id: bigint | null };

/** Brings sessions to life: the first call of a session, and the one that wakes an idle one. */
export async function authenticateSessions(
  db: Database,
  commands: readonly AuthenticateCommand[],
): Promise<AuthenticateOutcome[]> {
  const columns = [
    arrayLiteral(commands, (command) => command.playerID),
    arrayLiteral(commands, (command) => command.sessionRowID),
  ];
  const rows = await batchRows<Row>(db, { statement: STATEMENT, columns, count: commands.length, noRow: NO_SESSION });
  return rows.map(({ outcome, balance_micros, round_id }) =>
    outcome === 'authenticated'
      ? { ok: true, balance: heldBalance(balance_micros), latestRoundID: round_id }
      : refused(outcome),
  );
}
