import { StartError } from '@roundhouse/service';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type CellRow, cellTable } from '../../base/terminal/cellTable.ts';
import { visible } from '../../base/terminal/visible.ts';
import { playersInSeveral } from '../../cells/playersOnce.ts';
import { type BooksBalance, booksBalance } from '../../store/books/booksBalance.ts';
import { settleHome } from '../../store/database/databaseHome.ts';
import { SKIPPED_ROUND_IDS } from '../../store/database/roundMark.ts';
import { addCellOptions, type CellsChoice } from '../options/cellOptions.ts';
import { addDatabaseOptions } from '../options/options.ts';
import { type CellResult, type OpenCells, overCells, readOf, type Sum } from '../options/overCells.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';

export function afterRestoreCommand(): Command {
  return addDatabaseOptions(
    new Command('after-restore')
      .description(
        'A restored database lacks the last rounds, and would give their ids, which operators know, to new rounds. This skips those ids, ' +
          'and lets `serve` start. Run it after every restore. Each run skips as many again.',
      )
      .addOption(
        new Option('--skip <number>', 'round ids to skip: more than there were rounds since the backup')
          .argParser(parseSkip)
          .default(SKIPPED_ROUND_IDS, `${SKIPPED_ROUND_IDS}`),
      ),
  ).action((options: DatabaseChoice & { skip: bigint }) => afterRestore(options));
}

async function afterRestore(options: DatabaseChoice & { skip: bigint }): Promise<void> {
  const last = await withDatabase(options, (db) => settleHome(db, options));
  if (last === undefined) throw new StartError('Fewer round ids than that are left.');
  console.log(
    `Round ids go on above ${last}. Now run \`roundhouse books-balance\`, and \`roundhouse reconcile\` for each operator.`,
  );
}

function parseSkip(text: string): bigint {
  if (!/^\d{1,16}$/.test(text) || BigInt(text) === 0n) throw new InvalidArgumentError('A whole number above 0.');
  return BigInt(text);
}

export function booksBalanceCommand(): Command {
  return addCellOptions(
    new Command('books-balance').description(
      'Checks the whole database in one snapshot: every balance is the sum of its transfers, every round has exactly the transfers or wallet transactions of its state, ' +
        'and every grant of free rounds counts its rounds and pays what they won. With several databases: a line for each, and the sum; no player may be in two of them. ' +
        'Exit code 0 when the books balance, else 1.',
    ),
  ).action((choice: CellsChoice) =>
    overCells(choice, {
      read: booksBalance,
      one: (books) => printBooks(books),
      // Databases without a fleet may have players of the same name.
      many: async (results, sum, cells) =>
        printBooksOfCells(results, sum, choice.fleet === undefined ? [] : await listInSeveral(cells)),
    }),
  );
}

function printBooks({ accounts, rounds, transfers, walletTransactions, imbalances }: BooksBalance): void {
  for (const { rule, subject, detail } of imbalances) console.log(`${subject}: ${detail} (${rule})`);
  const counted = `${accounts} accounts, ${rounds} rounds, ${transfers} transfers, ${walletTransactions} wallet transactions`;
  console.log(imbalances.length === 0 ? `The books balance: ${counted}.` : `The books do NOT balance: ${counted}.`);
  if (imbalances.length > 0) process.exitCode = 1;
}

const MAX_LINES = 100;
const COUNTS = ['accounts', 'rounds', 'transfers', 'walletTransactions'] as const;

function printBooksOfCells(
  results: readonly CellResult<BooksBalance>[],
  { name, isWhole }: Sum,
  inSeveral: readonly string[],
): void {
  const read = readOf(results);
  for (const line of inSeveral) console.log(line);
  for (const { cell, value } of read)
    for (const { rule, subject, detail } of value.imbalances) console.log(`${cell}: ${subject}: ${detail} (${rule})`);
  const balance = inSeveral.length === 0 && read.every(({ value }) => value.imbalances.length === 0);
  const verdict = (isRight: boolean) => (isRight ? 'balance' : 'do NOT balance');
  const sums = COUNTS.map((count) => `${read.reduce((total, { value }) => total + value[count], 0n)}`);
  const rows = results.map(
    (each): CellRow =>
      each.ok
        ? {
            cell: each.cell,
            values: [verdict(each.value.imbalances.length === 0), ...COUNTS.map((count) => `${each.value[count]}`)],
          }
        : each,
  );
  const head = ['cell', 'books', 'accounts', 'rounds', 'transfers', 'wallet transactions'];
  const total = { cell: name, values: [balance ? (isWhole ? 'balance' : 'NOT known') : 'do NOT balance', ...sums] };
  console.log(cellTable(head, [...rows, total]));
  if (!balance) process.exitCode = 1;
}

/** Each of these players could play twice at once, so the cells do not balance together. */
async function listInSeveral(cells: OpenCells): Promise<string[]> {
  const open = readOf(await cells.each(async (db) => db)).map(({ cell, value: db }) => ({ cell, db }));
  const lines: string[] = [];
  for await (const { operator, playerID, cells: names } of playersInSeveral(open)) {
    lines.push(
      `player ${visible(playerID)} of operator ${operator}: is in ${names.join(' and ')} (a player is in one cell)`,
    );
    if (lines.length === MAX_LINES) break;
  }
  return lines;
}
