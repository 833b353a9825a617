import { type FileHandle, open } from 'node:fs/promises';
import { nodeBytes } from '@roundhouse/fair';
import { type ModeRows, readAll, writeAll } from '../read/storeFiles.ts';
import { HASH_BYTES, hashAt, levelsOf, rootOf, rowBytes, weightOf, writeSha256 } from './shape.ts';

/** So many bytes of events are read at once; they are hashed in about 2 ms. */
const READ_BYTES = 2 ** 22;
/** So many hashes take a few milliseconds. Then the process handles what else there is. */
const HASHES_IN_TURN = 4096;

/**
 * Writes the tree of a mode into a new file: the hashes of the books, the levels above the rows, and
 * the root at the end. The hashes of the rows are not in it: each is computed from its book's.
 * Meanwhile the memory holds 32 bytes for each book.
 */
export async function writeTree(path: string, rows: ModeRows, events: FileHandle): Promise<void> {
  const hashes = Buffer.allocUnsafe(rows.ids.length * HASH_BYTES);
  const file = await open(path, 'wx');
  try {
    await hashBooks(rows.offsets, events, hashes);
    await writeAll(file, hashes);
    await inTurns(rows.ids.length, (row) => writeSha256(rowBytes(rows, row, hashAt(hashes, row)), hashes, row));
    let below = rows.ids.length;
    for (const [level, { length }] of levelsOf(rows.ids.length).entries()) {
      if (level === 0) continue;
      const nodeAt = (index: number) => ({ weight: weightOf(rows, level - 1, index), hash: hashAt(hashes, index) });
      // A level takes the place of the one below, whose first nodes are used by then.
      await inTurns(length, (index) => {
        const [left, right] = [2 * index, 2 * index + 1];
        if (right < below) writeSha256(nodeBytes(nodeAt(left), nodeAt(right)), hashes, index);
        else hashes.copy(hashes, index * HASH_BYTES, left * HASH_BYTES, right * HASH_BYTES);
      });
      await writeAll(file, hashes.subarray(0, length * HASH_BYTES));
      below = length;
    }
    await writeAll(file, rootOf(rows, hashAt(hashes, 0)));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Hashes the events of each book, as many as fit at once. */
async function hashBooks(offsets: Float64Array, events: FileHandle, hashes: Buffer): Promise<void> {
  const books = offsets.length - 1;
  let memory = Buffer.allocUnsafe(READ_BYTES);
  for (let first = 0, end = 0; first < books; first = end) {
    const start = offsets[first] as number;
    for (end = first + 1; end < books && (offsets[end + 1] as number) - start <= READ_BYTES; ) end += 1;
    const bytes = (offsets[end] as number) - start;
    if (bytes > memory.length) memory = Buffer.allocUnsafe(bytes);
    await readAll(events, memory.subarray(0, bytes), start);
    for (let book = first; book < end; book += 1) {
      const from = (offsets[book] as number) - start;
      writeSha256(memory.subarray(from, (offsets[book + 1] as number) - start), hashes, book);
    }
  }
}

async function inTurns(count: number, work: (index: number) => void): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    work(index);
    if (index % HASHES_IN_TURN === HASHES_IN_TURN - 1) await new Promise(setImmediate);
  }
}
