import type { FileHandle } from 'node:fs/promises';
import { Growable } from './growable.ts';

const bufferBytes = 2 ** 20;

/** Writes the events of one book after the other into a file, back to back, and remembers where each begins. */
export class EventsWriter {
  readonly #file: FileHandle;
  readonly #buffer = Buffer.allocUnsafeSlow(bufferBytes);
  readonly #offsets = new Growable((length) => new Float64Array(length));
  #buffered = 0;
  #bytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
    this.#offsets.push(0);
  }

  /** Returns a promise only when it had to write: awaiting each of a million books would cost more than copying them. */
  append(events: Uint8Array): Promise<void> | undefined {
    this.#bytes += events.length;
    this.#offsets.push(this.#bytes);
    if (this.#buffered + events.length > bufferBytes) return this.#writeAndKeep(events);
    this.#buffer.set(events, this.#buffered);
    this.#buffered += events.length;
    return undefined;
  }

  /** Byte offsets of the books in the file, and the file's length as the last. */
  async finish(): Promise<Float64Array> {
    await this.#flush();
    await this.#file.sync();
    return this.#offsets.view();
  }

  async #writeAndKeep(events: Uint8Array): Promise<void> {
    await this.#flush();
    if (events.length > bufferBytes) return writeAll(this.#file, events);
    this.#buffer.set(events);
    this.#buffered = events.length;
  }

  async #flush(): Promise<void> {
    await writeAll(this.#file, this.#buffer.subarray(0, this.#buffered));
    this.#buffered = 0;
  }
}

/** FileHandle.write may write less than it was given. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
}
