import { Readable } from 'node:stream';
import { currencyFacts, decimalsOfMicros } from '@roundhouse/contract';
import { writeXlsxStream } from 'hucre/xlsx';
import { type Cell, csvLines } from '../../../base/terminal/csvLines.ts';
import { visible } from '../../../base/terminal/visible.ts';
import { writeMicros } from '../../../base/terminal/writeAmounts.ts';
import type { Column } from './table.ts';

type Pages = AsyncIterable<readonly (readonly Cell[])[]>;
type Contents = { columns: readonly Column[]; pages: Pages };

export const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** Writes a file while its pages are read: memory holds a page or two. */
export function fileOf(format: 'csv' | 'xlsx', contents: Contents): Readable {
  return format === 'csv' ? Readable.from(csvFile(contents), { objectMode: false }) : xlsxFile(contents);
}

/** An amount is in units of the currency of its row, and the heading of its column says so. */
export function headingOf({ name, isAmount }: Column): string {
  return isAmount ? `${name} (in currency)` : name;
}

/** Returns the function that says how many decimals of its currency a micro of a row has. */
function decimalsBy(columns: readonly Column[]) {
  const place = columns.findIndex(({ name }) => name === 'currency');
  return (row: readonly Cell[]) => {
    const currency = row[place];
    return typeof currency === 'string' ? decimalsOfMicros(currencyFacts(currency)) : undefined;
  };
}

/** It has no mark of the encoding, and all decimals of an amount. */
async function* csvFile({ columns, pages }: Contents): AsyncGenerator<string> {
  yield csvLines([columns.map(headingOf)]);
  const decimalsOf = decimalsBy(columns);
  for await (const rows of pages) if (rows.length > 0) yield csvLines(rows, decimalsOf);
}

/** It shows two decimals of an amount, and more where there are more. */
const AMOUNT_FORMAT = '#,##0.00########';
const AMOUNT_WIDTH = 16;
const TEXT_WIDTH = 22;

function xlsxFile({ columns, pages }: Contents): Readable {
  const stream = writeXlsxStream(sheetRows(pages, decimalsBy(columns)), {
    name: 'Roundhouse',
    columns: columns.map((column) => ({
      header: headingOf(column),
      width: column.isAmount ? AMOUNT_WIDTH : TEXT_WIDTH,
      ...(column.isAmount && { numFmt: AMOUNT_FORMAT }),
    })),
    freezePane: { rows: 1 },
  });
  return Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
}

async function* sheetRows(pages: Pages, decimalsOf: ReturnType<typeof decimalsBy>) {
  for await (const rows of pages) {
    for (const row of rows) {
      const decimals = decimalsOf(row);
      yield row.map((cell) => sheetCell(cell, decimals));
    }
  }
}

/** The number of digits that a spreadsheet keeps of a number. */
const EXACT_DIGITS = 15;

/**
 * A text stays a text in this format: no program runs it. An amount with too many digits is one.
 */
function sheetCell(cell: Cell, decimals: number | undefined): string | number | boolean | null {
  // XML cannot hold control characters.
  if (typeof cell === 'string') return visible(cell);
  if (typeof cell !== 'bigint') return cell;
  const text = writeMicros(cell, decimals);
  const digits = text.replace(/^-?0*|\.|0+$/g, '').length;
  return digits > EXACT_DIGITS ? text : Number(text);
}
