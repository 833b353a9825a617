import { hundredthsExample } from '../decimal.ts';
import type { PublishedFile } from '../types.ts';
import { notText } from './fileContent.ts';
import { type IssueList, UnreadableFile } from './issues.ts';
import type { SourceFile } from './sourceFile.ts';
import { Growable } from './storeFiles.ts';

/**
 * Row n of a lookup table in memory belongs to book n. `distinctPayouts` are in hundredths,
 * ascending.
 */
export type LookupTable = {
  file: PublishedFile;
  ids: Float64Array;
  /** They are running sums of the weights. */
  cumulative: BigUint64Array;
  /** Each row has the place of its payout in `distinctPayouts`. */
  payoutIndexes: Uint32Array;
  distinctPayouts: bigint[];
  /** They are line numbers, counted from 1. */
  lines: Uint32Array;
};

/** It replaces an id that could not be read; real ids are 0 or above. */
export const UNREADABLE_ID = -1;

const MAX_UINT64 = 2n ** 64n - 1n;
/** A row is three numbers of 20 digits at most. */
const MAX_ROW_BYTES = 256;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COMMA = 0x2c;
/** A number with at most this number of digits is below 2^53. */
const SAFE_DIGITS = 15;
const ROW_PATTERN = /^(\d{1,20}),(\d{1,20}),(\d{1,20})\r?$/;

/**
 * Reads a table `id,weight,payoutMultiplier×100`. A row that cannot be read is reported
 * and keeps its place, with `UNREADABLE_ID`. Throws UnreadableFile where the file as a whole has
 * another form.
 */
export async function readLookupTable(source: SourceFile, issues: IssueList): Promise<LookupTable> {
  const rows = new TableBuilder(source.name, issues);
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source.chunks()) {
    const text = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = text.indexOf(LINE_FEED); end !== -1; end = text.indexOf(LINE_FEED, start)) {
      rows.add(text, start, end);
      start = end + 1;
    }
    rest = text.subarray(start, start + MAX_ROW_BYTES);
  }
  if (rest.length > 0 && !rest.equals(Buffer.of(CARRIAGE_RETURN))) rows.add(rest, 0, rest.length);
  return rows.finish(await source.finish());
}

class TableBuilder {
  readonly #file: string;
  readonly #issues: IssueList;
  readonly #ids = new Growable((length) => new Float64Array(length));
  readonly #cumulative = new Growable((length) => new BigUint64Array(length));
  readonly #payoutIndexes = new Growable((length) => new Uint32Array(length));
  readonly #lines = new Growable((length) => new Uint32Array(length));
  readonly #indexOfPayout = new Map<bigint, number>();
  readonly #fields = [0, 0, 0];
  #line = 0;
  #sum = 0n;

  constructor(file: string, issues: IssueList) {
    this.#file = file;
    this.#issues = issues;
  }

  add(bytes: Buffer, start: number, end: number): void {
    this.#line += 1;
    // Small integers need no pattern and no strings, which saves a third of the time.
    if (this.#readSmall(bytes, start, end)) {
      const [id, weight, payout] = this.#fields as [number, number, number];
      this.#keep(id, BigInt(weight), BigInt(payout));
    } else this.#addText(bytes.toString('latin1', start, end));
  }

  /** Reads a row of small integers into the fields. */
  #readSmall(bytes: Buffer, start: number, end: number): boolean {
    let at = start;
    for (let field = 0; field < 3; field += 1) {
      if (field > 0 && bytes[at++] !== COMMA) return false;
      const first = at;
      let value = 0;
      for (; at < end; at += 1) {
        const digit = (bytes[at] as number) - 0x30;
        if (digit < 0 || digit > 9) break;
        value = value * 10 + digit;
      }
      if (at === first || at - first > SAFE_DIGITS) return false;
      this.#fields[field] = value;
    }
    return at === end || (at + 1 === end && bytes[at] === CARRIAGE_RETURN);
  }

  /** Each byte becomes one character: what is not ASCII is not a row anyway. */
  #addText(text: string): void {
    const row = this.#line === 1 ? text.replace(/^\u00ef\u00bb\u00bf/, '') : text;
    const match = ROW_PATTERN.exec(row);
    if (match !== null) this.#addRow(match[1] as string, match[2] as string, match[3] as string);
    else if (row === '' || row === '\r') this.#report('blank', 'is blank');
    else {
      this.#requireForm(row.replace(/\r$/, ''));
      this.#report('row', `is not a row "id,weight,payoutMultiplier×100" of integers: ${excerpt(row)}`);
      this.#keep(UNREADABLE_ID, 0n, 0n);
    }
  }

  /** One message says what is wrong with all rows of a file. */
  #requireForm(row: string): void {
    const ofFile = this.#line === 1 ? firstRowIssue(row) : undefined;
    if (ofFile !== undefined) throw new UnreadableFile({ file: this.#file, message: ofFile });
    const ofRows = formIssue(row);
    if (ofRows !== undefined) throw new UnreadableFile({ file: this.#file, line: this.#line, message: ofRows });
  }

  #addRow(idText: string, weightText: string, payoutText: string): void {
    const id = Number(idText);
    if (!Number.isSafeInteger(id)) this.#report('id', `id ${idText} is above ${Number.MAX_SAFE_INTEGER}`);
    let weight = BigInt(weightText);
    if (weight > MAX_UINT64) {
      this.#report('weight', `weight ${weightText} is above 2^64−1`);
      weight = 0n;
    }
    let payout = BigInt(payoutText);
    if (payout > MAX_UINT64) {
      this.#report('payout', `payout ${payoutText} is above 2^64−1`);
      payout = 0n;
    }
    this.#keep(Number.isSafeInteger(id) ? id : UNREADABLE_ID, weight, payout);
  }

  #keep(id: number, weight: bigint, payout: bigint): void {
    this.#ids.push(id);
    const isOverflowing = this.#sum <= MAX_UINT64 && this.#sum + weight > MAX_UINT64;
    this.#sum += weight;
    if (isOverflowing) this.#report('sum', 'takes the sum of the weights above 2^64−1');
    this.#cumulative.push(this.#sum);
    let index = this.#indexOfPayout.get(payout);
    if (index === undefined) {
      index = this.#indexOfPayout.size;
      this.#indexOfPayout.set(payout, index);
    }
    this.#payoutIndexes.push(index);
    this.#lines.push(this.#line);
  }

  #report(kind: string, message: string): void {
    this.#issues.addLine({ file: this.#file, line: this.#line, message }, kind);
  }

  finish(file: PublishedFile): LookupTable {
    if (this.#ids.length === 0) this.#issues.add({ file: this.#file, message: 'is empty' });
    else if (this.#sum === 0n) this.#issues.add({ file: this.#file, message: 'has no weight above zero' });
    const table = {
      file,
      ids: this.#ids.view(),
      cumulative: this.#cumulative.view(),
      lines: this.#lines.view(),
      ...sortPayouts([...this.#indexOfPayout.keys()], this.#payoutIndexes.view()),
    };
    reportTwins(table, this.#issues);
    return table;
  }
}

/** Renumbers the payouts from the order of appearance to ascending order. */
function sortPayouts(
  payouts: bigint[],
  indexes: Uint32Array,
): { distinctPayouts: bigint[]; payoutIndexes: Uint32Array } {
  const order = payouts
    .map((_, index) => index)
    .sort((a, b) => ((payouts[a] as bigint) < (payouts[b] as bigint) ? -1 : 1));
  const places = new Uint32Array(payouts.length);
  for (const [place, index] of order.entries()) places[index] = place;
  for (let row = 0; row < indexes.length; row += 1) indexes[row] = places[indexes[row] as number] as number;
  return { distinctPayouts: order.map((index) => payouts[index] as bigint), payoutIndexes: indexes };
}

function reportTwins({ file, ids, lines }: LookupTable, issues: IssueList): void {
  if (isAscending(ids)) return;
  const order = orderByID(ids);
  for (let place = 1; place < order.length; place += 1) {
    const row = order[place] as number;
    const previous = order[place - 1] as number;
    if (ids[row] !== ids[previous] || ids[row] === UNREADABLE_ID) continue;
    const message = `id ${ids[row]} is already on line ${lines[previous]}`;
    issues.addLine({ file: file.name, line: lines[row] as number, message }, 'twin');
  }
}

export function isAscending(ids: Float64Array): boolean {
  for (let row = 1; row < ids.length; row += 1) {
    if (!((ids[row - 1] as number) < (ids[row] as number))) return false;
  }
  return true;
}

/** Returns the rows in the order of their ids. Rows of one id keep their own order. */
export function orderByID(ids: Float64Array): Uint32Array {
  const order = new Uint32Array(ids.length);
  for (let row = 0; row < order.length; row += 1) order[row] = row;
  return order.sort((a, b) => (ids[a] as number) - (ids[b] as number) || a - b);
}

const NUMBER = /^\d+(?:\.\d+)?$/;
const NAME = /^[A-Za-z_][\w ×*()-]*$/;
/** It finds id, weight and payout, also as decimals, and where a table has no such separators. */
const OTHER_FORM = /^(\d+)[,;\t](\d+(?:\.\d+)?)[,;\t](\d+(?:\.\d+)?)$/;

/** Says what the first row shows of the whole file; undefined when that is nothing. */
function firstRowIssue(row: string): string | undefined {
  const binary = notText(Buffer.from(row, 'latin1'));
  if (binary !== undefined) return binary;
  const fields = row
    .replaceAll('"', '')
    .split(/[,;\t]/)
    .map((field) => field.trim());
  if (fields.every((field) => NAME.test(field))) return 'begins with a header: a table has none; delete line 1';
  if (fields.length === 3 || !fields.every((field) => NUMBER.test(field))) return undefined;
  const columns = fields.length === 1 ? '1 column' : `${fields.length} columns`;
  return `has ${columns}: a table has three, id,weight,payoutMultiplier×100`;
}

/**
 * Says in which other form a row has its three numbers; undefined when it has not. A program writes
 * all rows of a file in one form.
 */
function formIssue(row: string): string | undefined {
  const unquoted = row.replaceAll('"', '');
  const unspaced = unquoted.replaceAll(' ', '');
  const [, id, weight = '', payout = ''] = OTHER_FORM.exec(unspaced) ?? [];
  if (id === undefined) return undefined;
  const plain = `write ${id},${weight},${payout}`;
  if (unquoted !== row) return `has quotes around its numbers: ${plain}`;
  if (unspaced !== row) return `has spaces around its commas: ${plain}`;
  if (/[;\t]/.test(row)) return `has other separators than commas: ${plain}`;
  if (weight.includes('.')) return `weight ${weight} is a decimal: weights are whole numbers`;
  return `${payout} looks like a multiple: the table wants hundredths, ${hundredthsExample(payout)}`;
}

function excerpt(row: string): string {
  const shown = Buffer.from(row.slice(0, 60), 'latin1').toString('utf8').trimEnd();
  return row.length > 60 ? `${shown}…` : shown;
}
