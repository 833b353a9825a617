import { isUtf8 } from 'node:buffer';
import { type BookLine, lineMessage, readBookLine } from './bookLine.ts';
import { decodeZstd } from './decodeZstd.ts';
import { type IssueList, UnreadableFile } from './issues.ts';
import { TextMemory } from './json/textMemory.ts';
import { type LookupTable, UNREADABLE_ID } from './lookupTable.ts';
import type { SourceFile } from './sourceFile.ts';
import type { EventsWriter } from './storeFiles.ts';
import type { PublishedFile } from './types.ts';

export type BookFileInput = {
  source: SourceFile;
  /** Undefined when the table could not be read: the books are then checked by themselves. */
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
  const { source, table, issues, signal } = input;
  const memory = new TextMemory();
  const books = new BookReader(input, memory);
  const splitter = new LineSplitter(source.name, memory, (text, start, end) => books.readLine(text, start, end));
  await decodeZstd({ chunks: source.chunks(), file: source.name, signal }, async (chunk) => {
    await splitter.push(chunk);
    input.onBooks(books.count);
  });
  await splitter.finish();
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

  readLine(text: Buffer, start: number, end: number): Promise<void> | undefined {
    this.#line += 1;
    const position = this.count;
    if (isBlank(text, start, end)) {
      this.#report('is blank');
      return undefined;
    }
    this.count += 1;
    const book = this.#parse(text, start, end);
    if (book === undefined) return undefined;
    this.#compare(book, position);
    if (this.#input.issues.count > 0) return undefined;
    return this.#input.writer.append(text.subarray(book.eventsStart, book.eventsEnd));
  }

  #parse(text: Buffer, start: number, end: number): BookLine | undefined {
    const contentStart = start + byteOrderMarkBytes(text, start, end, this.#line);
    try {
      const book = readBookLine(text, contentStart, end, this.#memory.skipValue);
      // Whole lines only: a chunk of the file may end inside a character.
      if (isUtf8(text.subarray(start, end))) return book;
      this.#report('is not UTF-8');
    } catch (error) {
      const message = lineMessage(error, contentStart);
      if (message === undefined) throw error;
      this.#report(message);
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
    if (book.id !== id) this.#report(`is the book with id ${book.id}, but ${row} has id ${id}`);
    else this.#report(`has payoutMultiplier ${book.payout}, but ${row} has ${payout}`);
  }

  #report(message: string): void {
    this.#input.issues.add({ file: this.#input.source.name, line: this.#line, message });
  }
}

function byteOrderMarkBytes(text: Buffer, start: number, end: number, line: number): number {
  return line === 1 && end - start >= 3 && text.readUIntBE(start, 3) === 0xefbbbf ? 3 : 0;
}

function isBlank(text: Buffer, start: number, end: number): boolean {
  return end === start || (end === start + 1 && text[start] === 0x0d);
}

/** text[end] is the line feed; the bytes are valid only until the returned promise is fulfilled. */
type LineReader = (text: Buffer, start: number, end: number) => Promise<void> | undefined;

const LINE_FEED = 0x0a;
/**
 * A real book has 2 to 30 KB; what is longer than this is no book file, and would only fill the
 * memory.
 */
const MAX_LINE_BYTES = 2 ** 26;

/** Cuts a stream of chunks into lines, in `memory`. */
export class LineSplitter {
  readonly #file: string;
  readonly #memory: TextMemory;
  readonly #readLine: LineReader;
  /** Of the line whose end has not come. It is at the start of the memory. */
  #restBytes = 0;
  #line = 1;

  constructor(file: string, memory: TextMemory, readLine: LineReader) {
    this.#file = file;
    this.#memory = memory;
    this.#readLine = readLine;
  }

  async push(chunk: Buffer): Promise<void> {
    const bytes = this.#restBytes + chunk.length;
    const text = this.#memory.reserve(bytes).subarray(0, bytes);
    text.set(chunk, this.#restBytes);
    let start = 0;
    let end = text.indexOf(LINE_FEED, this.#restBytes);
    while (end !== -1) {
      const pending = this.#readLine(text, start, end);
      if (pending !== undefined) await pending;
      this.#line += 1;
      start = end + 1;
      end = text.indexOf(LINE_FEED, start);
    }
    text.copyWithin(0, start);
    this.#restBytes = bytes - start;
    if (this.#restBytes <= MAX_LINE_BYTES) return;
    const message = 'is longer than 64 MB, so it is no book';
    throw new UnreadableFile({ file: this.#file, line: this.#line, message });
  }

  /** Hands over the last line when no line feed ends it. */
  async finish(): Promise<void> {
    if (this.#restBytes > 0) await this.push(Buffer.of(LINE_FEED));
  }
}
