import type { IssueList } from './issues.ts';
import type { SourceFile } from './sourceFile.ts';
import { Growable } from './storeFiles.ts';
import type { PublishedFile } from './types.ts';

/**
 * A lookup table in memory; row n belongs to book n. `distinctPayouts` in hundredths, ascending.
 */
export type LookupTable = {
  file: PublishedFile;
  ids: Float64Array;
  /** Running sums of the weights. */
  cumulative: BigUint64Array;
  /** For each row the place of its payout in `distinctPayouts`. */
  payoutIndexes: Uint32Array;
  distinctPayouts: bigint[];
  /** Line numbers, from 1. */
  lines: Uint32Array;
};

/** In place of an id that could not be read; real ids are 0 or above. */
export const UNREADABLE_ID = -1;

const MAX_UINT64 = 2n ** 64n - 1n;
/** A row is three numbers of 20 digits at most. */
const MAX_ROW_BYTES = 256;
const ROW_PATTERN = /^(\d{1,20}),(\d{1,20}),(\d{1,20})\r?$/;

/**
 * Reads a table `id,weight,payoutMultiplier×100`. A row that cannot be read is reported
 * and keeps its place, with `UNREADABLE_ID`.
 */
export async function readLookupTable(source: SourceFile, issues: IssueList): Promise<LookupTable> {
  const rows = new TableBuilder(source.name, issues);
  let rest = '';
  for await (const chunk of source.chunks()) {
    // One byte is one character: what is not ASCII is no row anyway.
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) rows.add(line);
    if (rest.length > MAX_ROW_BYTES) rest = `${rest.slice(0, MAX_ROW_BYTES)}…`;
  }
  if (rest !== '' && rest !== '\r') rows.add(rest);
  return rows.finish(await source.finish());
}

class TableBuilder {
  readonly #file: string;
  readonly #issues: IssueList;
  readonly #ids = new Growable((length) => new Float64Array(length));
  readonly #cumulative = new Growable((length) => new BigUint64Array(length));
  readonly #payoutIndexes = new Growable((length) => new Uint32Array(length));
  readonly #lines = new Growable((length) => new Uint32Array(length));
  readonly #indexOfPayout = new Map<string, number>();
  #line = 0;
  #sum = 0n;

  constructor(file: string, issues: IssueList) {
    this.#file = file;
    this.#issues = issues;
  }

  add(text: string): void {
    this.#line += 1;
    const row = this.#line === 1 ? text.replace(/^\u00ef\u00bb\u00bf/, '') : text;
    const match = ROW_PATTERN.exec(row);
    if (match !== null) this.#addRow(match[1] as string, match[2] as string, match[3] as string);
    else if (row === '' || row === '\r') this.#report('is blank');
    else {
      this.#report(`is not a row "id,weight,payoutMultiplier×100" of integers: ${excerpt(row)}`);
      this.#keep(UNREADABLE_ID, 0n, '0');
    }
  }

  #addRow(idText: string, weightText: string, payoutText: string): void {
    const id = Number(idText);
    if (!Number.isSafeInteger(id)) this.#report(`id ${idText} is above ${Number.MAX_SAFE_INTEGER}`);
    let weight = BigInt(weightText);
    if (weight > MAX_UINT64) {
      this.#report(`weight ${weightText} is above 2^64−1`);
      weight = 0n;
    }
    const isPayoutTooLarge = payoutText.length === 20 && BigInt(payoutText) > MAX_UINT64;
    if (isPayoutTooLarge) this.#report(`payout ${payoutText} is above 2^64−1`);
    this.#keep(Number.isSafeInteger(id) ? id : UNREADABLE_ID, weight, isPayoutTooLarge ? '0' : payoutText);
  }

  #keep(id: number, weight: bigint, payoutText: string): void {
    this.#ids.push(id);
    const isOverflowing = this.#sum <= MAX_UINT64 && this.#sum + weight > MAX_UINT64;
    this.#sum += weight;
    if (isOverflowing) this.#report('takes the sum of the weights above 2^64−1');
    this.#cumulative.push(this.#sum);
    const canonical = payoutText.startsWith('0') ? BigInt(payoutText).toString() : payoutText;
    let index = this.#indexOfPayout.get(canonical);
    if (index === undefined) {
      index = this.#indexOfPayout.size;
      this.#indexOfPayout.set(canonical, index);
    }
    this.#payoutIndexes.push(index);
    this.#lines.push(this.#line);
  }

  #report(message: string): void {
    this.#issues.add({ file: this.#file, line: this.#line, message });
  }

  finish(file: PublishedFile): LookupTable {
    if (this.#ids.length === 0) this.#issues.add({ file: this.#file, message: 'is empty' });
    else if (this.#sum === 0n) this.#issues.add({ file: this.#file, message: 'has no weight above zero' });
    const table = {
      file,
      ids: this.#ids.view(),
      cumulative: this.#cumulative.view(),
      lines: this.#lines.view(),
      ...sortPayouts([...this.#indexOfPayout.keys()].map(BigInt), this.#payoutIndexes.view()),
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
    issues.add({
      file: file.name,
      line: lines[row] as number,
      message: `id ${ids[row]} is already on line ${lines[previous]}`,
    });
  }
}

export function isAscending(ids: Float64Array): boolean {
  for (let row = 1; row < ids.length; row += 1) {
    if (!((ids[row - 1] as number) < (ids[row] as number))) return false;
  }
  return true;
}

/** The rows in the order of their ids; rows of one id in their own order. */
export function orderByID(ids: Float64Array): Uint32Array {
  const order = new Uint32Array(ids.length);
  for (let row = 0; row < order.length; row += 1) order[row] = row;
  return order.sort((a, b) => (ids[a] as number) - (ids[b] as number) || a - b);
}

function excerpt(row: string): string {
  const shown = Buffer.from(row.slice(0, 60), 'latin1').toString('utf8').trimEnd();
  return row.length > 60 ? `${shown}…` : shown;
}
