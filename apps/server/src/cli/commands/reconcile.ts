import { cellsOfOperator, fleetOf } from '@roundhouse/fleet';
import { StartError } from '@roundhouse/service';
import { Command } from 'commander';
import { type Finders, fileList } from '../../operators/reconcile/fileList.ts';
import { type Books, type ReconcileRefusal, reconcile } from '../../operators/reconcile/reconcile.ts';
import { type AwayCell, type CellTotals, jsonReport, textReport } from '../../operators/reconcile/report.ts';
import { walletList } from '../../operators/reconcile/walletList.ts';
import { explainRefusal } from '../../operators/reconcile/wording.ts';
import type { Database } from '../../store/database/database.ts';
import { findWalletOperator, listOperators, type WalletOperator } from '../../store/operators/operators.ts';
import { findRollbacks, findWinnings } from '../../store/rounds/walletTransactions.ts';
import { addCellOptions, type CellsChoice, chosenOf, type Many, type NamedDatabase } from '../options/cellOptions.ts';
import { parseInstant } from '../options/options.ts';
import { readOf, withCells } from '../options/overCells.ts';
import { withDatabase } from '../options/withDatabase.ts';

type ReconcileCommandOptions = CellsChoice & { from?: Date; to?: Date; list?: string; json: boolean };

export function reconcileCommand(): Command {
  return addCellOptions(
    new Command('reconcile')
      .description(
        "Reads the operator's list of transactions and compares it with ours, one by one. Those that are not settled are reported apart, and " +
          'are no difference. Without --to it says how many are younger than a minute, and so not compared. Moves no money. ' +
          'With several databases it compares the one list with all of them, and names the cell of each difference. Exit code 0 when there is no difference, else 1.',
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
    const chosen = chosenOf(options);
    const isWhole =
      chosen.kind === 'one'
        ? await withDatabase(chosen.choice, async (db) =>
            run([{ ...(await requireWallet(db, code)), db, cell: undefined }], options),
          )
        : await overOperatorCells(chosen, code, options);
    if (!isWhole) process.exitCode = 1;
  });
}

/** The operator's books in a database; the name of the cell when there are several. */
type OperatorBooks = WalletOperator & Books & { cell: string | undefined };

/** Returns whether the list agrees with all cells, none of which is away. */
async function overOperatorCells(chosen: Many, code: string, options: ReconcileCommandOptions): Promise<boolean> {
  const databases = databasesOfOperator(chosen, code);
  return withCells({ ...chosen, databases }, options, async (cells) => {
    const found = await cells.each(async (db, cell) => {
      const operator = await findWalletOperator(db, { code });
      return operator && { ...operator, db, cell };
    });
    const books = readOf(found).flatMap(({ value }) => value ?? []);
    const [first, ...others] = books;
    const away = found.flatMap((each) => (each.ok ? [] : [{ cell: each.cell, why: each.why }]));
    if (first === undefined) {
      const why = away.map((each) => `${each.cell}: ${each.why}`).join('\n');
      throw new StartError(why || `No cell has an operator ${code} with a wallet.`);
    }
    const other = others.find(({ url }) => url !== first.url);
    if (other !== undefined) {
      throw new StartError(
        `Operator ${code} has the wallet ${first.url} in ${first.cell} and ${other.url} in ${other.cell}: compare each cell with its own list.`,
      );
    }
    return run(books, options, { away, findMoves: cells.findMoves });
  });
}

/** A cell that has no player of the operator takes no part, even when it is away. */
function databasesOfOperator({ fleet, databases }: Many, code: string): NamedDatabase[] {
  if (fleet === undefined) return databases;
  const names = new Set(cellsOfOperator(fleetOf(fleet), code).map(({ name }) => name));
  const own = databases.filter(({ name }) => names.has(name));
  if (own.length === 0) throw new StartError(`The fleet file places operator ${code} in no cell.`);
  return own;
}

/** What a comparison with several cells may lack: cells that are away, and players on their way. */
type Lacking = { away: readonly AwayCell[]; findMoves: () => Promise<string[]> };

/**
 * Returns whether the lists agree, and nothing is lacking. The first of the books has the wallet
 * that offers the list.
 */
async function run(
  books: readonly OperatorBooks[],
  { from, to, list: file, json }: ReconcileCommandOptions,
  { away, findMoves }: Lacking = { away: [], findMoves: async () => [] },
): Promise<boolean> {
  const [operator] = books as [OperatorBooks];
  const { createWalletClient } = await import('../../rounds/wallets/seamless/walletClient.ts');
  const client = createWalletClient();
  const report = (json ? jsonReport : textReport)((text) => console.log(text));
  const inCells = new Map(books.map((each) => [each, { differences: 0, unsettled: 0 }]));
  let [differences, notJudged] = [0, 0];
  try {
    const outcome = await reconcile({
      books,
      list: file === undefined ? walletList(client, operator) : fileList(file, findersOf(books)),
      from,
      to,
      onDifference(difference, of) {
        // It may be one of the cell that is away.
        if (difference.kind === 'not_ours' && away.length > 0) {
          notJudged += 1;
          return;
        }
        differences += 1;
        const counts = of && inCells.get(of);
        if (counts !== undefined) counts.differences += 1;
        report.difference(difference, operator.cell === undefined ? undefined : (of?.cell ?? null));
      },
      onUnsettled(transaction, of) {
        const counts = inCells.get(of);
        if (counts !== undefined) counts.unsettled += 1;
        report.unsettled(transaction, of.cell);
      },
    });
    if (!outcome.ok) throw new StartError(explain(operator.code, outcome.refusal));
    const { oursIn, ...totals } = outcome;
    const read = books.flatMap(({ cell }, at) =>
      cell === undefined ? [] : [{ cell, ours: oursIn[at] ?? 0, ...[...inCells.values()][at] }],
    );
    const moves = await findMoves();
    for (const move of moves) console.error(move);
    const isWhole = away.length === 0 && moves.length === 0;
    const ofCells = read.length === 0 ? {} : { cells: [...read, ...away] as CellTotals[], isWhole, notJudged };
    report.end({ ...totals, operator: operator.code, differences, ...ofCells });
    return differences === 0 && isWhole;
  } finally {
    await client.close();
  }
}

/** A grant or a debit is in one of the databases. */
function findersOf(books: readonly OperatorBooks[]): Finders {
  const merged = async <Value>(read: (books: OperatorBooks) => Promise<Map<string, Value>>) =>
    new Map((await Promise.all(books.map(read))).flatMap((found) => [...found]));
  return {
    winnings: (grantIDs) => merged(({ db, operatorID }) => findWinnings(db, operatorID, grantIDs)),
    rollbacks: (debitIDs) => merged(({ db, operatorID }) => findRollbacks(db, operatorID, debitIDs)),
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
