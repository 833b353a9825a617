import { UnreadableFile } from './issues.ts';

/** text[end] is the line feed; the bytes are valid only until the returned promise is fulfilled. */
type LineReader = (text: Buffer, start: number, end: number) => Promise<void> | undefined;

const LINE_FEED = 0x0a;
/**
 * A real book has 2 to 30 KB; what is longer than this is no book file, and would only fill the
 * memory.
 */
const MAX_LINE_BYTES = 2 ** 26;

/**
 * Cuts a stream of chunks into lines. Copies only the lines that cross the border of two chunks.
 */
export class LineSplitter {
  readonly #file: string;
  readonly #readLine: LineReader;
  #rest = Buffer.allocUnsafe(2 ** 16);
  #restBytes = 0;
  #line = 1;

  constructor(file: string, readLine: LineReader) {
    this.#file = file;
    this.#readLine = readLine;
  }

  async push(chunk: Buffer): Promise<void> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end === -1) break;
      if (this.#restBytes > 0) await this.#finishRest(chunk.subarray(start, end + 1));
      else {
        const pending = this.#readLine(chunk, start, end);
        if (pending !== undefined) await pending;
      }
      this.#line += 1;
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** Hands over the last line when no line feed ends it. */
  async finish(): Promise<void> {
    if (this.#restBytes > 0) await this.#finishRest(Buffer.of(LINE_FEED));
  }

  async #finishRest(ending: Buffer): Promise<void> {
    this.#keep(ending);
    const end = this.#restBytes - 1;
    this.#restBytes = 0;
    await this.#readLine(this.#rest, 0, end);
  }

  #keep(bytes: Buffer): void {
    const needed = this.#restBytes + bytes.length;
    if (needed > MAX_LINE_BYTES) {
      throw new UnreadableFile({
        file: this.#file,
        line: this.#line,
        message: 'is longer than 64 MB, so it is no book',
      });
    }
    if (needed > this.#rest.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#rest.length * 2));
      this.#rest.copy(larger, 0, 0, this.#restBytes);
      this.#rest = larger;
    }
    bytes.copy(this.#rest, this.#restBytes);
    this.#restBytes = needed;
  }
}
