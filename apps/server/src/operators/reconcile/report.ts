import { type CellRow, cellTable } from '../../base/terminal/cellTable.ts';
import { counted } from '../../base/terminal/units.ts';
import { visibleJson } from '../../base/terminal/visible.ts';
import type { WalletTransaction } from '../../store/rounds/walletTransaction.ts';
import { type Difference, transactionIDOf } from './comparison.ts';
import type { Reconciled } from './reconcile.ts';
import { describeDifference, describeOurs, resultNote } from './wording.ts';

export type AwayCell = { cell: string; why: string };
export type CellTotals = AwayCell | ({ cell: string } & Record<'ours' | 'differences' | 'unsettled', number>);

type ReconcileTotals = Omit<Reconciled, 'ok' | 'oursIn'> & {
  operator: string;
  differences: number;
  /** The totals of each database, if there are several. */
  cells?: readonly CellTotals[];
  /** True when all of them were read, and no player was between two of them. */
  isWhole?: boolean;
  /**
   * The number of listed transactions that are in no cell that was read. They may be in one that is
   * away.
   */
  notJudged?: number;
};

/**
 * Prints each finding at once, so that a report of any length needs no memory. With several
 * databases a finding names the cell; null: no cell has the transaction.
 */
export type ReconcileReport = {
  difference(difference: Difference, cell?: string | null): void;
  unsettled(transaction: WalletTransaction, cell?: string): void;
  end(totals: ReconcileTotals): void;
};

/**
 * The largest number of unsettled transactions that it prints: an operator that is down for a day
 * has more.
 */
const MAX_UNSETTLED_LINES = 1_000;

export function textReport(print: (line: string) => void): ReconcileReport {
  const lines: string[] = [];
  let unsettled = 0;
  const of = (cell: string | null | undefined) => (cell === undefined ? '' : `${cell ?? 'no cell'}  `);
  return {
    difference(difference, cell) {
      print(`${of(cell)}${transactionIDOf(difference)}  ${describeDifference(difference)}`);
    },
    unsettled(transaction, cell) {
      unsettled += 1;
      if (unsettled > MAX_UNSETTLED_LINES) return;
      const { transactionID, state } = transaction;
      lines.push(`  ${of(cell)}${transactionID}  ${describeOurs(transaction)}: ${state}${resultNote(transaction)}`);
    },
    end({ operator, time, ours, theirs, younger = 0, differences, cells = [], notJudged = 0 }) {
      if (unsettled > 0) print(`Not settled, and not compared:\n${lines.join('\n')}`);
      if (unsettled > MAX_UNSETTLED_LINES) print(`  … and ${unsettled - MAX_UNSETTLED_LINES} more`);
      if (cells.length > 0) print(tableOf(cells));
      const found = differences === 0 ? 'No difference' : counted(differences, 'difference');
      print(
        `${found} from ${time.from.toISOString()} to ${time.to.toISOString()}: ` +
          `${counted(ours, 'wallet transaction')} here, ${theirs.toLocaleString('en-US')} in the list of ${operator}.`,
      );
      const away = cells.flatMap((each) => ('why' in each ? [each.cell] : [])).join(', ');
      if (away !== '') {
        print(`NOT whole without ${away}: ${notJudged} of the list are in no other cell, and were not judged.`);
      }
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

function tableOf(cells: readonly CellTotals[]): string {
  const rows = cells.map(
    (each): CellRow =>
      'why' in each ? each : { cell: each.cell, values: [each.ours, each.differences, each.unsettled].map(String) },
  );
  return cellTable(['cell', 'wallet transactions', 'differences', 'not settled'], rows);
}

/** Prints one line for each finding, and one for the totals at the end. */
export function jsonReport(print: (line: string) => void): ReconcileReport {
  let unsettled = 0;
  return {
    difference(difference, cell) {
      const { kind } = difference;
      const transactionID = transactionIDOf(difference);
      print(
        visibleJson({
          difference: kind,
          transactionID,
          cell,
          ...('fields' in difference && { fields: difference.fields }),
          ...('ours' in difference && { ours: plain(difference.ours) }),
          ...('theirs' in difference && { theirs: difference.theirs }),
        }),
      );
    },
    unsettled(transaction, cell) {
      unsettled += 1;
      const { state, transactionID } = transaction;
      print(visibleJson({ unsettled: state, transactionID, cell, ours: plain(transaction) }));
    },
    end({ operator, time, ours, theirs, younger, differences, cells, isWhole, notJudged }) {
      const { from, to } = time;
      const ofCells = cells?.map((each) => ('why' in each ? { cell: each.cell, issue: each.why } : each));
      const totals = { operator, from, to, ours, theirs, younger, differences, unsettled };
      print(visibleJson({ ...totals, isWhole, notJudged, cells: ofCells }));
    },
  };
}

function plain(transaction: WalletTransaction) {
  const { transactionID, kind, state, resultCode, resultDetail, settledBy, settlementNote, debitTransactionID } =
    transaction;
  const { roundID, externalID, currency, amount, reference, createdAt, settledAt } = transaction;
  const progress = { state, resultCode, resultDetail, settledBy, settlementNote, createdAt, settledAt };
  const content = { roundID: String(roundID), playerID: externalID, currency, amount, debitTransactionID, reference };
  return { transactionID, kind, ...content, ...progress };
}
