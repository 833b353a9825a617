import { StartError } from '@roundhouse/service';
import { Command } from 'commander';
import type { Database } from '../../ledger/database.ts';
import { findWalletOperator, listOperators, type WalletOperator } from '../../ledger/queries/operators.ts';
import { findRollbacks, findWinnings } from '../../ledger/queries/walletTransactions.ts';
import type { WalletTransaction } from '../../ledger/walletTransaction.ts';
import { type Difference, transactionIDOf } from '../../reconcile/comparison.ts';
import { fileList } from '../../reconcile/fileList.ts';
import { type Reconciled, type ReconcileRefusal, reconcile } from '../../reconcile/reconcile.ts';
import { walletList } from '../../reconcile/walletList.ts';
import { describeDifference, describeOurs, explainRefusal, resultNote } from '../../reconcile/wording.ts';
import { createWalletClient } from '../../wallets/seamless/walletClient.ts';
import { addDatabaseOptions, parseInstant } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';

type ReconcileCommandOptions = DatabaseChoice & { from?: Date; to?: Date; list?: string; json: boolean };

export function reconcileCommand(): Command {
  return addDatabaseOptions(
    new Command('reconcile')
      .summary("compare our wallet transactions with an operator's list")
      .description(
        "Reads the operator's list of transactions and compares it with ours, one by one. Those that are not settled are reported apart, and " +
          'are no difference. Without --to it says how many are younger than a minute, and so not compared. Moves no money. Exit code 0 when there is no difference, else 1.',
      )
      .argument('<operator>', 'code of the operator')
      .option('--from <moment>', 'wallet transactions from this time on (default: 24 hours before --to)', parseInstant)
      .option('--to <moment>', 'wallet transactions before this time (default: a minute ago)', parseInstant)
      .option(
        '--list <file>',
        'the list, for an operator whose wallet does not offer one: JSON Lines, or CSV with a header',
      )
      .option(
        '--json',
        'print each difference, each unsettled wallet transaction and the totals as one line of JSON',
        false,
      ),
  ).action(async (code: string, options: ReconcileCommandOptions) => {
    const isWhole = await withDatabase(options, async (db) => run(db, await requireWallet(db, code), options));
    if (!isWhole) process.exitCode = 1;
  });
}

/** Returns whether the lists agree. */
async function run(
  db: Database,
  operator: WalletOperator,
  { from, to, list: file, json }: ReconcileCommandOptions,
): Promise<boolean> {
  const client = createWalletClient();
  const report = (json ? jsonReport : textReport)((text) => console.log(text));
  let differences = 0;
  try {
    const outcome = await reconcile({
      db,
      operatorID: operator.operatorID,
      list: file === undefined ? walletList(client, operator) : fileList(file, findersOf(db, operator)),
      from,
      to,
      onDifference(difference) {
        differences += 1;
        report.difference(difference);
      },
      onUnsettled: report.unsettled,
    });
    if (!outcome.ok) throw new StartError(explain(operator.code, outcome.refusal));
    report.end({ ...outcome, operator: operator.code, differences });
    return differences === 0;
  } finally {
    await client.close();
  }
}

function findersOf(db: Database, { operatorID }: WalletOperator) {
  return {
    winnings: (grantIDs: readonly string[]) => findWinnings(db, operatorID, grantIDs),
    rollbacks: (debitIDs: readonly string[]) => findRollbacks(db, operatorID, debitIDs),
  };
}

async function requireWallet(db: Database, code: string): Promise<WalletOperator> {
  const operator = await findWalletOperator(db, { code });
  if (operator !== undefined) return operator;
  const known = (await listOperators(db)).map((each) => each.code);
  if (known.includes(code))
    throw new StartError(`Operator ${code} has the house wallet, so it has no list to compare.`);
  throw new StartError(`There is no operator ${code}. Known: ${known.join(', ') || 'none'}.`);
}

function explain(code: string, refusal: ReconcileRefusal): string {
  const why = explainRefusal(code, refusal);
  return refusal.kind === 'not_offered' ? `${why} --list takes one from a file.` : why;
}

type ReconcileTotals = Omit<Reconciled, 'ok'> & { operator: string; differences: number };

/** Prints each finding at once, so that a report of any length needs no memory. */
export type ReconcileReport = {
  difference(difference: Difference): void;
  unsettled(transaction: WalletTransaction): void;
  end(totals: ReconcileTotals): void;
};

/**
 * It prints at most so many unsettled transactions: an operator that is down for a day has more.
 */
const MAX_UNSETTLED_LINES = 1_000;

export function textReport(print: (line: string) => void): ReconcileReport {
  const lines: string[] = [];
  let unsettled = 0;
  return {
    difference(difference) {
      print(`${transactionIDOf(difference)}  ${describeDifference(difference)}`);
    },
    unsettled(transaction) {
      unsettled += 1;
      if (unsettled > MAX_UNSETTLED_LINES) return;
      const { transactionID, state } = transaction;
      lines.push(`  ${transactionID}  ${describeOurs(transaction)}: ${state}${resultNote(transaction)}`);
    },
    end({ operator, time, ours, theirs, younger = 0, differences }) {
      if (unsettled > 0) print(`Not settled, and not compared:\n${lines.join('\n')}`);
      if (unsettled > MAX_UNSETTLED_LINES) print(`  … and ${unsettled - MAX_UNSETTLED_LINES} more`);
      const found = differences === 0 ? 'No difference' : `${differences} ${plural('difference', differences)}`;
      print(
        `${found} from ${time.from.toISOString()} to ${time.to.toISOString()}: ` +
          `${ours} ${plural('wallet transaction', ours)} here, ${theirs} in the list of ${operator}.`,
      );
      if (younger > 0) {
        print(
          younger === 1
            ? '1 wallet transaction here is younger than a minute, and was not compared. --to now compares it, too.'
            : `${younger} wallet transactions here are younger than a minute, and were not compared. --to now compares them, too.`,
        );
      }
    },
  };
}

/** Prints one line for each finding, and one for the totals at the end. */
export function jsonReport(print: (line: string) => void): ReconcileReport {
  let unsettled = 0;
  return {
    difference(difference) {
      const { kind } = difference;
      const transactionID = transactionIDOf(difference);
      print(
        JSON.stringify({
          difference: kind,
          transactionID,
          ...('fields' in difference && { fields: difference.fields }),
          ...('ours' in difference && { ours: plain(difference.ours) }),
          ...('theirs' in difference && { theirs: difference.theirs }),
        }),
      );
    },
    unsettled(transaction) {
      unsettled += 1;
      const { state, transactionID } = transaction;
      print(JSON.stringify({ unsettled: state, transactionID, ours: plain(transaction) }));
    },
    end({ operator, time, ours, theirs, younger, differences }) {
      const { from, to } = time;
      print(JSON.stringify({ operator, from, to, ours, theirs, younger, differences, unsettled }));
    },
  };
}

function plain(transaction: WalletTransaction) {
  const { transactionID, kind, state, resultCode, resultDetail, settledBy, settlementNote, debitTransactionID } =
    transaction;
  const { roundID, externalID, currency, amount, createdAt, settledAt } = transaction;
  const progress = { state, resultCode, resultDetail, settledBy, settlementNote, createdAt, settledAt };
  const content = { roundID: String(roundID), playerID: externalID, currency, amount, debitTransactionID };
  return { transactionID, kind, ...content, ...progress };
}

function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}
