import { StartError } from '@roundhouse/service';
import { Command } from 'commander';
import type { Database } from '../../ledger/database.ts';
import { findWalletOperator, listOperators, type WalletOperator } from '../../ledger/queries/operators.ts';
import { type ReconcileRefusal, reconcile } from '../../reconcile/reconcile.ts';
import { createWalletClient } from '../../wallets/seamless/walletClient.ts';
import { addDatabaseOptions, parseInstant } from '../options.ts';
import { jsonReport, textReport } from '../reconcileReport.ts';
import { type DatabaseChoice, withDatabase } from '../withDatabase.ts';

type ReconcileCommandOptions = DatabaseChoice & { from?: Date; to?: Date; json: boolean };

export function reconcileCommand(): Command {
  return addDatabaseOptions(
    new Command('reconcile')
      .summary("compare our wallet transactions with an operator's list")
      .description(
        "Reads the operator's list of transactions and compares it with ours, one by one. Those that are not settled are reported apart, and " +
          'are no difference. Moves no money. Exit code 0 when there is no difference, else 1.',
      )
      .argument('<operator>', 'code of the operator')
      .option('--from <moment>', 'wallet transactions from this time on (default: 24 hours before --to)', parseInstant)
      .option('--to <moment>', 'wallet transactions before this time (default: a minute ago)', parseInstant)
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
  { from, to, json }: ReconcileCommandOptions,
): Promise<boolean> {
  const client = createWalletClient();
  const report = (json ? jsonReport : textReport)((text) => console.log(text));
  let differences = 0;
  try {
    const outcome = await reconcile({
      db,
      client,
      operator,
      from,
      to,
      onDifference(difference) {
        differences += 1;
        report.difference(difference);
      },
      onUnsettled: report.unsettled,
    });
    if (!outcome.ok) throw new StartError(explainRefusal(operator.code, outcome.refusal));
    report.end({ ...outcome, operator: operator.code, differences });
    return differences === 0;
  } finally {
    await client.close();
  }
}

async function requireWallet(db: Database, code: string): Promise<WalletOperator> {
  const operator = await findWalletOperator(db, { code });
  if (operator !== undefined) return operator;
  const known = (await listOperators(db)).map((each) => each.code);
  if (known.includes(code)) throw new StartError(`Operator ${code} has the house wallet: no other books to compare.`);
  throw new StartError(`There is no operator ${code}. Known: ${known.join(', ') || 'none'}.`);
}

function explainRefusal(code: string, refusal: ReconcileRefusal): string {
  switch (refusal.kind) {
    case 'not_offered':
      return `Operator ${code} does not offer a list of transactions (404): there is nothing to compare with.`;
    case 'unreadable':
      return `The list of operator ${code} cannot be read (${refusal.why}).`;
    case 'no_time':
      return `There is no time from ${refusal.from.toISOString()} to ${refusal.to.toISOString()}.`;
  }
}
