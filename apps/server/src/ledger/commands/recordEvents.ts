import type { Database } from '../database.ts';
import { type Outcome, refused } from '../refusal.ts';
import { arrayLiteral, batchRows, NO_SESSION } from './batchRows.ts';

export type RecordEventCommand = { playerID: bigint; sessionRowID: bigint; event: string };

export type RecordEventOutcome = Outcome<object>;

const STATEMENT = {
  name: 'record_events',
  text: 'SELECT * FROM record_events($1::bigint[], $2::bigint[], $3::text[])',
};

type Row = { ordinal: bigint; outcome: string };

/** Keeps one more action of each player in the open round, in order. */
export async function recordEvents(
  db: Database,
  commands: readonly RecordEventCommand[],
): Promise<RecordEventOutcome[]> {
  const columns = [
    arrayLiteral(commands, (command) => command.playerID),
    arrayLiteral(commands, (command) => command.sessionRowID),
    commands.map((command) => command.event),
  ];
  const rows = await batchRows<Row>(db, { statement: STATEMENT, columns, count: commands.length, noRow: NO_SESSION });
  return rows.map(({ outcome }) => (outcome === 'recorded' ? { ok: true } : refused(outcome)));
}
