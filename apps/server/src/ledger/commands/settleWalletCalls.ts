import type { Database } from '../database.ts';
import { arrayLiteral, batchRows } from './batchRows.ts';

/**
 * What has become of a call to an operator's wallet. Of a debit: accepted, refused (nothing moved for certain) or uncertain (a rollback
 * follows). Of a credit or rollback: accepted, or failed (it is repeated).
 */
type Verdict = 'accepted' | 'refused' | 'uncertain' | 'failed';

export type SettleCommand = {
  playerID: bigint;
  /** The transactionID of the call. */
  callID: string;
  verdict: Verdict;
  /** For whoever looks into it: the code of a refusal, or why the answer was not certain. At most a short text. */
  answer: string | undefined;
  /** Of an accepted debit: close the round at once when it pays nothing. */
  autoClose: boolean;
};

/** late: somebody else had settled it before. nextCallID: the call that was written in the same transaction, to be sent. */
export type SettleOutcome = { late: boolean; nextCallID: string | undefined };

const STATEMENT = {
  name: 'settle_wallet_calls',
  text: 'SELECT * FROM settle_wallet_calls($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::boolean[])',
};

type Row = { ordinal: bigint; outcome: string; next_id: string | null };

/** Writes down what has become of calls, and does to each round what follows from it. */
export async function settleWalletCalls(db: Database, commands: readonly SettleCommand[]): Promise<SettleOutcome[]> {
  const columns = [
    arrayLiteral(commands, (command) => command.playerID),
    commands.map((command) => command.callID),
    commands.map((command) => command.verdict),
    commands.map((command) => command.answer ?? null),
    arrayLiteral(commands, (command) => command.autoClose),
  ];
  const rows = await batchRows<Row>(db, { statement: STATEMENT, columns, count: commands.length });
  return rows.map(({ outcome, next_id }) => ({ late: outcome === 'late', nextCallID: next_id ?? undefined }));
}
