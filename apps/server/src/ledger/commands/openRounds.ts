import type { Micros } from '@roundhouse/contract';
import type { Database } from '../database.ts';
import { type Outcome, refused } from '../refusal.ts';
import { arrayLiteral, batchRows, heldBalance, NO_SESSION } from './batchRows.ts';

export type OpenRoundCommand = {
  playerID: bigint;
  sessionRowID: bigint;
  /** Upper case. */
  mode: string;
  /** Exact decimal text, for example "1.25". */
  costMultiplier: string;
  amount: Micros;
  debit: Micros;
  bookID: number;
  /** Hundredths: a book's 150 pays 1.5 times the amount. */
  payoutMultiplier: bigint;
  payout: Micros;
  /** Complete the round at once when it pays nothing. */
  autoClose: boolean;
  /** A play sooner than this after the player's last one in this game is refused; 0 is no rule. */
  minimumRoundDurationMs: number;
  playKey: string | undefined;
  /** What the bet rules found wrong. Answered only when nothing that comes before it applies. */
  betRefused: boolean;
  /** The wallet of the operator does not answer: a bet that it would have to be asked for is refused. */
  walletDown: boolean;
};

/** Where the operator keeps the money balance is undefined, and debitID names the debit that it has to be asked for. */
export type OpenRoundOutcome = Outcome<{
  roundID: bigint;
  replayed: boolean;
  balance: Micros | undefined;
  debitID: string | undefined;
}>;

const STATEMENT = {
  name: 'open_rounds',
  text: `SELECT * FROM open_rounds($1::bigint[], $2::bigint[], $3::text[], $4::numeric[], $5::bigint[], $6::bigint[],
  $7::bigint[], $8::bigint[], $9::bigint[], $10::boolean[], $11::bigint[], $12::text[], $13::boolean[], $14::boolean[])`,
};

type Row = {
  ordinal: bigint;
  outcome: string;
  round_id: bigint | null;
  balance_micros: bigint | null;
  debit_id: string | null;
};

/** Opens rounds, each with its debit in the same breath: moved where we keep the balance, else written down to be asked for. */
export async function openRounds(db: Database, commands: readonly OpenRoundCommand[]): Promise<OpenRoundOutcome[]> {
  const columns = [
    arrayLiteral(commands, (command) => command.playerID),
    arrayLiteral(commands, (command) => command.sessionRowID),
    commands.map((command) => command.mode),
    commands.map((command) => command.costMultiplier),
    arrayLiteral(commands, (command) => command.amount),
    arrayLiteral(commands, (command) => command.debit),
    arrayLiteral(commands, (command) => command.bookID),
    arrayLiteral(commands, (command) => command.payoutMultiplier),
    arrayLiteral(commands, (command) => command.payout),
    arrayLiteral(commands, (command) => command.autoClose),
    arrayLiteral(commands, (command) => command.minimumRoundDurationMs),
    commands.map((command) => command.playKey ?? null),
    arrayLiteral(commands, (command) => command.betRefused),
    arrayLiteral(commands, (command) => command.walletDown),
  ];
  const rows = await batchRows<Row>(db, { statement: STATEMENT, columns, count: commands.length, noRow: NO_SESSION });
  return rows.map(toOutcome);
}

function toOutcome({ outcome, round_id, balance_micros, debit_id }: Row): OpenRoundOutcome {
  if ((outcome === 'opened' || outcome === 'replayed') && round_id !== null) {
    const replayed = outcome === 'replayed';
    return {
      ok: true,
      roundID: round_id,
      replayed,
      balance: heldBalance(balance_micros),
      debitID: debit_id ?? undefined,
    };
  }
  return refused(outcome);
}
