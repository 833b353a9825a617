import { stringify } from 'csv-stringify/sync';
import { writeMicros } from './writeAmounts.ts';

/** A bigint is an amount in micros. */
export type Cell = string | number | bigint | boolean | null;

/**
 * Returns lines of CSV, each with its end. Amounts have six decimals. A text that a spreadsheet
 * would run as a formula gets an apostrophe in front: it begins with = + - @, a tab or a CR.
 */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  return stringify(rows as Cell[][], {
    escape_formulas: true,
    cast: { bigint: writeMicros, boolean: String },
  });
}
