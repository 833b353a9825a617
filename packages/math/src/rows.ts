import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { writeAll } from './eventsWriter.ts';

/** What is in memory of each mode: 28 bytes a book, and 16 a distinct payout. */
export type ModeRows = {
  /** Of the events in the data file; the file's length is the last. */
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

/** Undefined when the file is not the one that was written. */
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

async function readAll(file: FileHandle, into: Uint8Array): Promise<void> {
  let done = 0;
  while (done < into.length) {
    const { bytesRead } = await file.read(into, done);
    if (bytesRead === 0) return;
    done += bytesRead;
  }
}
