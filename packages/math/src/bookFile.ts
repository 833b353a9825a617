import { isUtf8 } from 'node:buffer';
import { type BookLine, lineMessage, readBookLine } from './bookLine.ts';
import { decodeZstd } from './decodeZstd.ts';
import type { EventsWriter } from './eventsWriter.ts';
import type { IssueList } from './issues.ts';
import { LineSplitter } from './lineSplitter.ts';
import { type LookupTable, UNREADABLE_ID } from './lookupTable.ts';
import type { SourceFile } from './sourceFile.ts';
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
  const books = new BookReader(input);
  const splitter = new LineSplitter(source.name, (text, start, end) => books.readLine(text, start, end));
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

  constructor(input: BookFileInput) {
    this.#input = input;
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
      const book = readBookLine(text, contentStart, end);
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
