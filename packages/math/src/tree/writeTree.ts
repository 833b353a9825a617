import { hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type ModeRows, readAll, writeAll } from '../read/storeFiles.ts';
import { HASH_BYTES, hashAt, levelsOf, rootOf, weightOf } from './shape.ts';

/** The number of bytes of events that are read at once; they are hashed in about 2 ms. */
const READ_BYTES = 2 ** 22;
/**
 * This number of hashes takes a few milliseconds. Then the process handles what else is waiting.
 */
const HASHES_IN_TURN = 4096;

/**
 * Writes the tree of a mode into a new file: the hashes of the books, the levels above the rows,
 * and the root at the end. The hashes of the rows are not in it: each is computed from its book's.
 * The hashes of the books are overwritten meanwhile.
 */
export async function writeTree(path: string, rows: ModeRows, hashes: Buffer): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await writeAll(file, hashes);
    const hasher = new TreeHasher(rows, hashes);
    await inTurns(rows.ids.length, (row) => hasher.hashRow(row));
    let below = rows.ids.length;
    for (const [level, { length }] of levelsOf(rows.ids.length).entries()) {
      if (level === 0) continue;
      // A level overwrites the one below, whose first nodes are used by then.
      await inTurns(length, (index) => {
        if (2 * index + 1 < below) hasher.hashNode(level, index);
        else hashes.copy(hashes, index * HASH_BYTES, 2 * index * HASH_BYTES);
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

/** Returns the hashes of the events of all books, one after the other: 32 bytes for each. */
export async function hashBooks(offsets: Float64Array, events: FileHandle): Promise<Buffer> {
  const books = offsets.length - 1;
  const hashes = Buffer.allocUnsafe(books * HASH_BYTES);
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
  return hashes;
}

/**
 * Hashes what leafBytes and nodeBytes of @roundhouse/fair lay out, in one piece of memory:
 * allocating for each row and node takes as long again as the hashes.
 */
class TreeHasher {
  readonly #rows: ModeRows;
  readonly #hashes: Buffer;
  readonly #leaf = viewed(0, 57);
  readonly #node = viewed(1, 81);

  constructor(rows: ModeRows, hashes: Buffer) {
    this.#rows = rows;
    this.#hashes = hashes;
  }

  /** Turns the hash of a book into that of its row. */
  hashRow(row: number): void {
    const { ids, payoutIndexes, distinctPayouts } = this.#rows;
    const { bytes, view } = this.#leaf;
    view.setBigUint64(1, BigInt(ids[row] as number));
    view.setBigUint64(9, weightOf(this.#rows, 0, row));
    view.setBigUint64(17, distinctPayouts[payoutIndexes[row] as number] as bigint);
    this.#hashes.copy(bytes, 25, row * HASH_BYTES, (row + 1) * HASH_BYTES);
    writeSha256(bytes, this.#hashes, row);
  }

  /** Puts the hash above two nodes of the level below, which are at the front, in its place. */
  hashNode(level: number, index: number): void {
    const { bytes, view } = this.#node;
    const left = 2 * index;
    view.setBigUint64(1, weightOf(this.#rows, level - 1, left));
    this.#hashes.copy(bytes, 9, left * HASH_BYTES, (left + 1) * HASH_BYTES);
    view.setBigUint64(41, weightOf(this.#rows, level - 1, left + 1));
    this.#hashes.copy(bytes, 49, (left + 1) * HASH_BYTES, (left + 2) * HASH_BYTES);
    writeSha256(bytes, this.#hashes, index);
  }
}

function viewed(prefix: number, size: number): { bytes: Buffer; view: DataView } {
  const bytes = Buffer.alloc(size, prefix);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, size) };
}

/** Writes a SHA-256 by way of a text: a Buffer for each hash takes three times as long. */
function writeSha256(bytes: Uint8Array, hashes: Buffer, place: number): void {
  hashes.write(hash('sha256', bytes, 'binary'), place * HASH_BYTES, 'binary');
}

async function inTurns(count: number, work: (index: number) => void): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    work(index);
    if (index % HASHES_IN_TURN === HASHES_IN_TURN - 1) await new Promise(setImmediate);
  }
}
