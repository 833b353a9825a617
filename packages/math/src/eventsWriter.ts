import type { FileHandle } from 'node:fs/promises';
import { Growable } from './growable.ts';

const BUFFER_BYTES = 2 ** 20;

/**
 * Writes the events of one book after the other into a file, back to back, and remembers where each
 * begins. While one buffer is being written the next is filled: waiting for the disk each time took
 * as long again as the rest of a load.
 */
export class EventsWriter {
  readonly #file: FileHandle;
  readonly #offsets = new Growable((length) => new Float64Array(length));
  #filling = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #spare = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #writing: Promise<void> = Promise.resolve();
  #buffered = 0;
  #bytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
    this.#offsets.push(0);
  }

  /**
   * Returns a promise only when it had to write: awaiting each of a million books would cost more
   * than copying them.
   */
  append(events: Uint8Array): Promise<void> | undefined {
    this.#bytes += events.length;
    this.#offsets.push(this.#bytes);
    if (this.#buffered + events.length > BUFFER_BYTES) return this.#writeAndKeep(events);
    this.#filling.set(events, this.#buffered);
    this.#buffered += events.length;
    return undefined;
  }

  /**
   * Byte offsets of the books in the file, and the file's length as the last. Everything is on the
   * disk then.
   */
  async finish(): Promise<Float64Array> {
    await this.#startWriting();
    await this.#writing;
    await this.#file.sync();
    return this.#offsets.view();
  }

  async #writeAndKeep(events: Uint8Array): Promise<void> {
    await this.#startWriting();
    if (events.length > BUFFER_BYTES) {
      await this.#writing;
      return writeAll(this.#file, events);
    }
    this.#filling.set(events);
    this.#buffered = events.length;
  }

  /** Waits for the write before, begins the next, and swaps the buffers. */
  async #startWriting(): Promise<void> {
    await this.#writing;
    this.#writing = writeAll(this.#file, this.#filling.subarray(0, this.#buffered));
    // A failure shows where the promise is awaited; here it only must not count as unhandled until
    // then.
    this.#writing.catch(() => undefined);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#buffered = 0;
  }
}

/** FileHandle.write may write less than it was given. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
}
