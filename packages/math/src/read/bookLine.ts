import { hundredthsExample } from '../decimal.ts';
import { memberReader, type Slice } from './json/members.ts';
import { JsonSyntaxError, skipSpace, type skipValue } from './json/scan.ts';

/** `eventsStart` and `eventsEnd` bound the bytes of the events array. `payout` is in hundredths. */
export type BookLine = { id: number; payout: bigint; eventsStart: number; eventsEnd: number };

/** The line is JSON but not a book. Lines of a file that have one `kind` make one issue. */
class NotABook extends Error {
  readonly kind: string;

  constructor(message: string, kind: string) {
    super(message);
    this.kind = kind;
  }
}

const readMembers = memberReader(['id', 'payoutMultiplier', 'events']);
const MAX_UINT64 = 2n ** 64n - 1n;
/** A number with at most this number of digits is below 2^53. */
const SAFE_DIGITS = 15;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Reads the book in text[start] up to the line feed at text[lineEnd]; `skip` does what skipValue
 * does. Throws JsonSyntaxError or NotABook.
 */
export function readBookLine(text: Uint8Array, start: number, lineEnd: number, skip?: typeof skipValue): BookLine {
  const [id, payout, events] = readMembers(text, start, lineEnd, skip) as [Slice, Slice, Slice];
  return {
    id: readID(text, id),
    payout: readPayout(text, payout),
    eventsStart: requireEvents(text, events).start,
    eventsEnd: events.end,
  };
}

function readID(text: Uint8Array, slice: Slice): number {
  requireInteger(text, slice, 'id');
  if (slice.end - slice.start <= SAFE_DIGITS) return smallInteger(text, slice);
  const digits = ascii(text, slice);
  const id = Number(digits);
  if (!Number.isSafeInteger(id))
    throw new NotABook(`"id" is ${digits}, which is above ${Number.MAX_SAFE_INTEGER}`, 'id above');
  return id;
}

function readPayout(text: Uint8Array, slice: Slice): bigint {
  requireInteger(text, slice, 'payoutMultiplier');
  if (slice.end - slice.start <= SAFE_DIGITS) return BigInt(smallInteger(text, slice));
  // It never becomes a number: above 2^53 that would not be the one that was published.
  const digits = ascii(text, slice);
  const payout = BigInt(digits);
  if (payout > MAX_UINT64) throw new NotABook(`"payoutMultiplier" is ${digits}, which is above 2^64−1`, 'payout above');
  return payout;
}

function requireInteger(text: Uint8Array, slice: Slice, name: string): void {
  if (slice.start === -1) throw new NotABook(`has no "${name}"`, `no ${name}`);
  for (let at = slice.start; at < slice.end; at += 1) {
    const byte = text[at] as number;
    if (byte < 0x30 || byte > 0x39) throw new NotABook(numberIssue(name, excerpt(text, slice)), name);
  }
  if (slice.end - slice.start > 20) throw new NotABook(`"${name}" is too large: ${excerpt(text, slice)}`, name);
}

function numberIssue(name: string, shown: string): string {
  if (name !== 'payoutMultiplier' || !/^\d+\.\d+$/.test(shown))
    return `"${name}" is not an integer of 0 or above: ${shown}`;
  return `"${name}" is ${shown}, which looks like a multiple: a book has hundredths, ${hundredthsExample(shown)}`;
}

/** Reads at most `SAFE_DIGITS` digits. It makes no string, because each book needs it twice. */
function smallInteger(text: Uint8Array, { start, end }: Slice): number {
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 10 + ((text[at] as number) - 0x30);
  return value;
}

function requireEvents(text: Uint8Array, slice: Slice): Slice {
  if (slice.start === -1) throw new NotABook('has no "events"', 'no events');
  if (text[slice.start] !== OPEN_BRACKET)
    throw new NotABook(`"events" is not an array: ${excerpt(text, slice)}`, 'events');
  if (text[skipSpace(text, slice.start + 1)] === CLOSE_BRACKET) throw new NotABook('"events" is empty', 'empty events');
  return slice;
}

function excerpt(text: Uint8Array, slice: Slice): string {
  const shown = Buffer.from(text.subarray(slice.start, Math.min(slice.end, slice.start + 40))).toString();
  return slice.end - slice.start > 40 ? `${shown}…` : shown;
}

function ascii(text: Uint8Array, { start, end }: Slice): string {
  return Buffer.from(text.buffer, text.byteOffset + start, end - start).toString('latin1');
}

export type LineIssue = { message: string; kind: string };

/**
 * Says in the report what is wrong with a line, from what readBookLine threw; undefined for a
 * defect of the program.
 */
export function lineIssue(error: unknown, lineStart: number): LineIssue | undefined {
  if (error instanceof NotABook) return error;
  if (!(error instanceof JsonSyntaxError)) return undefined;
  return { message: `${error.message}, at byte ${error.position - lineStart + 1} of the line`, kind: 'JSON' };
}

/**
 * Says what a first line that is not a book shows of the whole file, from what readBookLine threw;
 * undefined when that is nothing.
 */
export function firstLineIssue(error: unknown, text: Uint8Array, start: number, end: number): string | undefined {
  if (text[skipSpace(text, start)] === OPEN_BRACKET) return 'is one JSON array: a book file has one book on each line';
  const isCut = error instanceof JsonSyntaxError && error.position >= end;
  return isCut ? 'is pretty-printed: a book file has each book on one line' : undefined;
}
