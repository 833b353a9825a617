import { stringify } from 'csv-stringify/sync';
import { visible } from './visible.ts';
import { writeMicros } from './writeAmounts.ts';

/** A bigint is an amount in micros. */
export type Cell = string | number | bigint | boolean | null;

/**
 * It finds where a spreadsheet would begin a formula: at = + - @, also in full width, at the start
 * of a text or behind a semicolon, a tab or a line break in it. Where commas are decimal marks, a
 * spreadsheet divides cells at semicolons. Quotes then protect nothing: those of the text begin in
 * the middle of a cell, and it drops those that begin one.
 */
const FORMULA = /(?:^|[;\t\n\r])[ "]*(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/**
 * Returns lines of CSV, each with its end. Amounts have six decimals, or as many as their row has
 * by `decimalsOf`. What a spreadsheet would run as a formula gets an apostrophe in front, and so
 * does a text that begins with a tab or a line break. Control characters and ends of lines are
 * shown as their codes.
 */
export function csvLines<Row extends readonly Cell[]>(
  rows: readonly Row[],
  decimalsOf?: (row: Row) => number | undefined,
): string {
  const amountText = (micros: bigint, place: number) => {
    const row = rows[place];
    return writeMicros(micros, row && decimalsOf?.(row));
  };
  return stringify(rows as unknown as Cell[][], {
    cast: {
      string: (text) => visible(withoutFormula(text)),
      bigint: (micros, { records }) => amountText(micros, records),
      boolean: String,
    },
  });
}

function withoutFormula(text: string): string {
  return text.replace(FORMULA, "$&'").replace(/^[\t\n\r]/, "'$&");
}
