import { stringify } from 'csv-stringify/sync';
import { writeMicros } from './writeAmounts.ts';

/** bigint: an amount in micros. */
export type Cell = string | number | bigint | boolean | null;

/**
 * Lines of CSV, each with its end. Amounts have six decimals. A text that a spreadsheet would run
 * as a formula gets an apostrophe in front: it begins with = + - @, a tab or a carriage return.
 */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  return stringify(rows as Cell[][], {
    escape_formulas: true,
    cast: { bigint: writeMicros, boolean: String },
  });
}
