import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

type Numbers = Float64Array | Uint32Array | BigUint64Array;
type Element<T> = T extends BigUint64Array ? bigint : number;

/**
 * This typed array grows by doubling. An element takes 8 bytes, where an array of objects takes 50
 * to 100.
 */
export class Growable<T extends Numbers> {
  length = 0;
  #values: T;
  readonly #allocate: (length: number) => T;

  constructor(allocate: (length: number) => T) {
    this.#allocate = allocate;
    this.#values = allocate(1024);
  }

  push(value: Element<T>): void {
    if (this.length === this.#values.length) {
      const larger = this.#allocate(this.length * 2);
      (larger as Float64Array).set(this.#values as Float64Array);
      this.#values = larger;
    }
    (this.#values as Float64Array)[this.length] = value as number;
    this.length += 1;
  }

  /** Returns the elements so far. They are not copied, so they are valid until the next push. */
  view(): T {
    return this.#values.subarray(0, this.length) as T;
  }
}

/** The memory holds 28 bytes of each book, and 16 of each distinct payout. */
export type ModeRows = {
  /** They are offsets of the events in the data file; the file's length is the last. */
  offsets: Float64Array;
  ids: Float64Array;
  cumulative: BigUint64Array;
  payoutIndexes: Uint32Array;
  distinctPayouts: BigUint64Array;
};

export type RowsFile = { books: number; payouts: number; sha256: string };

/**
 * Writes the rows as they are in memory, one array after the other, so that reading them back is
 * one read.
 */
export async function writeRows(path: string, rows: ModeRows): Promise<RowsFile> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx');
  try {
    for (const array of [rows.offsets, rows.ids, rows.cumulative, rows.distinctPayouts, rows.payoutIndexes]) {
      const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
      hash.update(bytes);
      await writeAll(file, bytes);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { books: rows.ids.length, payouts: rows.distinctPayouts.length, sha256: hash.digest('hex') };
}

/** Returns undefined when the file is not the one that was written. */
export async function readRows(path: string, expected: RowsFile): Promise<ModeRows | undefined> {
  const { books, payouts } = expected;
  const bytes = (books + 1) * 8 + books * 16 + payouts * 8 + books * 4;
  const buffer = new ArrayBuffer(bytes);
  const file = await open(path);
  try {
    if ((await file.stat()).size !== bytes) return undefined;
    await readAll(file, new Uint8Array(buffer));
  } finally {
    await file.close();
  }
  if (createHash('sha256').update(new Uint8Array(buffer)).digest('hex') !== expected.sha256) return undefined;
  let at = 0;
  const place = (length: number): number => {
    const start = at;
    at += length;
    return start;
  };
  return {
    offsets: new Float64Array(buffer, place((books + 1) * 8), books + 1),
    ids: new Float64Array(buffer, place(books * 8), books),
    cumulative: new BigUint64Array(buffer, place(books * 8), books),
    distinctPayouts: new BigUint64Array(buffer, place(payouts * 8), payouts),
    payoutIndexes: new Uint32Array(buffer, place(books * 4), books),
  };
}

/** Fills `into` from a place in the file on, as far as the file goes. */
export async function readAll(file: FileHandle, into: Uint8Array, position = 0): Promise<void> {
  let done = 0;
  while (done < into.length) {
    const { bytesRead } = await file.read(into, done, into.length - done, position + done);
    if (bytesRead === 0) return;
    done += bytesRead;
  }
}

const SYNC_BYTES = 2 ** 26;

/**
 * Writes the events of one book after the other into a file, back to back, and remembers where each
 * begins. While some are being written the next are read: waiting for the disk each time took as
 * long again as the rest of a load. The disk gets what was written meanwhile: left to the end, it
 * took a fifth of a load.
 */
export class EventsWriter {
  readonly #file: FileHandle;
  readonly #offsets = new Growable((length) => new Float64Array(length));
  #writing: Promise<void> = Promise.resolve();
  #syncing: Promise<void> = Promise.resolve();
  readonly #onWritten: ((offsets: Float64Array) => void) | undefined;
  #unsynced = 0;
  #bytes = 0;
  #begun = 0;
  #told = 0;

  /** `onWritten` gets the offsets of books that are in the file, with the end of the last one. */
  constructor(file: FileHandle, onWritten?: (offsets: Float64Array) => void) {
    this.#file = file;
    this.#onWritten = onWritten;
    this.#offsets.push(0);
  }

  /** Remembers a book whose events take the next `eventBytes` bytes. */
  add(eventBytes: number): void {
    this.#bytes += eventBytes;
    this.#offsets.push(this.#bytes);
  }

  /** Begins to write `events`, which must stay until the next call, or `written`, is fulfilled. */
  async write(events: Uint8Array): Promise<void> {
    await this.#writing;
    this.#tell();
    if (this.#unsynced >= SYNC_BYTES) {
      await this.#syncing;
      this.#syncing = this.#file.datasync();
      // A failure shows where a promise is awaited; here it only must not count as unhandled until
      // then.
      this.#syncing.catch(() => undefined);
      this.#unsynced = 0;
    }
    this.#writing = writeAll(this.#file, events);
    this.#writing.catch(() => undefined);
    this.#begun = this.#offsets.length - 1;
    this.#unsynced += events.length;
  }

  written(): Promise<void> {
    return this.#writing;
  }

  /**
   * Resolves with the byte offsets of the books in the file, and the file's length as the last.
   * Everything is on the disk then.
   */
  async finish(): Promise<Float64Array> {
    await this.#writing;
    this.#tell();
    await this.#syncing;
    await this.#file.sync();
    return this.#offsets.view();
  }

  #tell(): void {
    if (this.#begun === this.#told) return;
    this.#onWritten?.(this.#offsets.view().slice(this.#told, this.#begun + 1));
    this.#told = this.#begun;
  }
}

/** FileHandle.write may write less than it was given. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
}
