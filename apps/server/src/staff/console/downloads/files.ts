import { Readable } from 'node:stream';
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

/** The bytes are those of `roundhouse report --csv`: no mark of the encoding, and six decimals. */
async function* csvFile({ columns, pages }: Contents): AsyncGenerator<string> {
  yield csvLines([columns.map(({ name }) => name)]);
  for await (const rows of pages) if (rows.length > 0) yield csvLines(rows);
}

/** It shows two decimals of an amount, and more where there are more. */
const AMOUNT_FORMAT = '#,##0.00####';
const AMOUNT_WIDTH = 16;
const TEXT_WIDTH = 22;

function xlsxFile({ columns, pages }: Contents): Readable {
  const stream = writeXlsxStream(sheetRows(pages), {
    name: 'Roundhouse',
    columns: columns.map(({ name, isAmount }) => ({
      header: name,
      width: isAmount ? AMOUNT_WIDTH : TEXT_WIDTH,
      ...(isAmount && { numFmt: AMOUNT_FORMAT }),
    })),
    freezePane: { rows: 1 },
  });
  return Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
}

async function* sheetRows(pages: Pages) {
  for await (const rows of pages) for (const row of rows) yield row.map(sheetCell);
}

/** The number of digits that a spreadsheet keeps of a number. */
const EXACT_DIGITS = 15;

/**
 * A text stays a text in this format: no program runs it. An amount with too many digits is one.
 */
function sheetCell(cell: Cell): string | number | boolean | null {
  // XML cannot hold control characters.
  if (typeof cell === 'string') return visible(cell);
  if (typeof cell !== 'bigint') return cell;
  const text = writeMicros(cell);
  const digits = text.replace(/^-?0*|\.|0+$/g, '').length;
  return digits > EXACT_DIGITS ? text : Number(text);
}
