import { Command } from 'commander';
import { booksBalance } from '../../ledger/queries/booksBalance.ts';
import { addDatabaseOptions } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../withDatabase.ts';

export function booksBalanceCommand(): Command {
  return addDatabaseOptions(
    new Command('books-balance')
      .summary('prove that no money was lost or doubled')
      .description(
        'Checks the whole database in one snapshot: every balance is the sum of its transfers, every round has exactly the movements that its state calls for, in our books or asked of an operator. ' +
          'Exit code 0 when the books balance, else 1.',
      ),
  ).action(async (choice: DatabaseChoice) => {
    const { accounts, rounds, transfers, walletCalls, imbalances } = await withDatabase(choice, booksBalance);
    for (const { rule, subject, detail } of imbalances) console.log(`${subject}: ${detail} (${rule})`);
    const counted = `${accounts} accounts, ${rounds} rounds, ${transfers} transfers, ${walletCalls} wallet calls`;
    console.log(imbalances.length === 0 ? `The books balance: ${counted}.` : `The books do NOT balance: ${counted}.`);
    if (imbalances.length > 0) process.exitCode = 1;
  });
}
