import { isUtf8 } from 'node:buffer';
import type { PublishedFile } from '../types.ts';
import { type BookLine, firstLineIssue, lineIssue, readBookLine } from './bookLine.ts';
import { DECODED_BYTES, decodeZstd, FREE_BYTES } from './decodeZstd.ts';
import { type IssueList, UnreadableFile } from './issues.ts';
import { TextMemory } from './json/textMemory.ts';
import { type LookupTable, UNREADABLE_ID } from './lookupTable.ts';
import type { SourceFile } from './sourceFile.ts';
import type { EventsWriter } from './storeFiles.ts';

export type BookFileInput = {
  source: SourceFile;
  /** It is undefined when the table could not be read. The books are then checked alone. */
  table: LookupTable | undefined;
  writer: EventsWriter;
  issues: IssueList;
  onBooks: (books: number) => void;
  signal?: AbortSignal | undefined;
};

/**
 * Checks every book of a mode, against its table too, and hands the events to the writer as long as
 * all is well.
 */
export async function readBookFile(input: BookFileInput): Promise<PublishedFile> {
  const { source, table, writer, issues, signal } = input;
  const memory = new TextMemory();
  const books = new BookReader(input, memory);
  const joiner = new LineJoiner(memory);
  const read = async (lines: Lines): Promise<void> => {
    const events = books.read(lines);
    if (issues.count > 0) return;
    await writer.write(events);
    // The bytes behind the pieces do not outlast the next piece.
    if (events.byteOffset >= DECODED_BYTES) await writer.written();
  };
  const decoded = { chunks: source.chunks(), file: source.name, memory: memory.reserve(DECODED_BYTES), signal };
  await decodeZstd(decoded, async (content) => {
    await read(joiner.add(content));
    if (joiner.restBytes > MAX_LINE_BYTES) throw books.tooLongLine();
    input.onBooks(books.count);
  });
  await read(joiner.finish());
  if (books.count === 0) issues.add({ file: source.name, message: 'has no books' });
  else if (table !== undefined && books.count !== table.ids.length) {
    const message = `has ${books.count} books, but ${table.file.name} has ${table.ids.length} rows`;
    issues.add({ file: source.name, message });
  }
  return source.finish();
}

class BookReader {
  count = 0;
  #line = 0;
  readonly #input: BookFileInput;
  readonly #memory: TextMemory;

  constructor(input: BookFileInput, memory: TextMemory) {
    this.#input = input;
    this.#memory = memory;
  }

  /** Moves the events of these books together, to where the lines begin, and returns them. */
  read({ text, start, end }: Lines): Buffer {
    const isText = isUtf8(text.subarray(start, end));
    let eventsEnd = start;
    for (let at = start; at < end; ) {
      const lineEnd = text.indexOf(LINE_FEED, at);
      const book = this.#readLine(text, at, lineEnd, isText);
      at = lineEnd + 1;
      if (book === undefined || this.#input.issues.count > 0) continue;
      const eventBytes = book.eventsEnd - book.eventsStart;
      this.#memory.move(eventBytes, { from: book.eventsStart, to: eventsEnd });
      this.#input.writer.add(eventBytes);
      eventsEnd += eventBytes;
    }
    return text.subarray(start, eventsEnd);
  }

  /** Makes the issue of the line that comes next. */
  tooLongLine(): UnreadableFile {
    const message = 'is longer than 64 MB, so it is no book';
    return new UnreadableFile({ file: this.#input.source.name, line: this.#line + 1, message });
  }

  #readLine(text: Buffer, start: number, end: number, isText: boolean): BookLine | undefined {
    this.#line += 1;
    const position = this.count;
    if (isBlank(text, start, end)) {
      this.#report('blank', 'is blank');
      return undefined;
    }
    this.count += 1;
    const book = this.#parse(text, start, end, isText);
    if (book !== undefined) this.#compare(book, position);
    return book;
  }

  #parse(text: Buffer, start: number, end: number, isText: boolean): BookLine | undefined {
    const contentStart = start + byteOrderMarkBytes(text, start, end, this.#line);
    try {
      const book = readBookLine(text, contentStart, end, this.#memory.skipValue);
      if (isText || isUtf8(text.subarray(start, end))) return book;
      this.#report('UTF-8', 'is not UTF-8');
    } catch (error) {
      const issue = lineIssue(error, contentStart);
      if (issue === undefined) throw error;
      const ofFile = this.#line === 1 ? firstLineIssue(error, text, contentStart, end) : undefined;
      if (ofFile !== undefined) throw new UnreadableFile({ file: this.#input.source.name, message: ofFile });
      this.#report(issue.kind, issue.message);
    }
    return undefined;
  }

  #compare(book: BookLine, position: number): void {
    const { table } = this.#input;
    const id = table?.ids[position];
    if (table === undefined || id === undefined || id === UNREADABLE_ID) return;
    const payout = table.distinctPayouts[table.payoutIndexes[position] as number];
    if (book.id === id && book.payout === payout) return;
    const row = `line ${table.lines[position]} of ${table.file.name}`;
    if (book.id !== id) this.#report('other id', `is the book with id ${book.id}, but ${row} has id ${id}`);
    else this.#report('other payout', `has payoutMultiplier ${book.payout}, but ${row} has ${payout}`);
  }

  #report(kind: string, message: string): void {
    this.#input.issues.addLine({ file: this.#input.source.name, line: this.#line, message }, kind);
  }
}

function byteOrderMarkBytes(text: Buffer, start: number, end: number, line: number): number {
  return line === 1 && end - start >= 3 && text.readUIntBE(start, 3) === 0xefbbbf ? 3 : 0;
}

function isBlank(text: Buffer, start: number, end: number): boolean {
  return end === start || (end === start + 1 && text[start] === 0x0d);
}

/** It has whole lines: text[end - 1] is the line feed of the last one. */
type Lines = { text: Buffer; start: number; end: number };

const LINE_FEED = 0x0a;
/**
 * A real book has 2 to 30 KB; what is longer than this is not a book file, and would only fill the
 * memory.
 */
const MAX_LINE_BYTES = 2 ** 26;

/** Makes whole lines of the pieces that decodeZstd leaves in the memory. */
export class LineJoiner {
  readonly #memory: TextMemory;
  /** The line whose end has not come. */
  #rest = { start: 0, end: 0 };

  constructor(memory: TextMemory) {
    this.#memory = memory;
  }

  get restBytes(): number {
    return this.#rest.end - this.#rest.start;
  }

  /** Returns the lines that end in `content`. They lie where it does, or behind all pieces. */
  add(content: Buffer): Lines {
    const { restBytes } = this;
    const fits = restBytes <= FREE_BYTES;
    const contentStart = fits ? content.byteOffset : DECODED_BYTES + restBytes;
    const [start, end] = [contentStart - restBytes, contentStart + content.length];
    const text = this.#memory.reserve(end);
    if (this.#rest.start !== start) text.copyWithin(start, this.#rest.start, this.#rest.end);
    if (!fits) text.set(content, contentStart);
    const linesEnd = contentStart + text.subarray(contentStart, end).lastIndexOf(LINE_FEED) + 1;
    this.#rest = { start: linesEnd === contentStart ? start : linesEnd, end };
    return { text, start, end: this.#rest.start };
  }

  /** Returns the last line, when no line feed ends it. */
  finish(): Lines {
    const { start, end } = this.#rest;
    const text = this.#memory.reserve(end + 1);
    text[end] = LINE_FEED;
    return { text, start, end: start === end ? end : end + 1 };
  }
}
