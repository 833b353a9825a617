import { constants, createWriteStream } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { INDEX_NAME } from '../read/publishedIndex.ts';
import type { MathMode } from '../types.ts';
import { makeFolder } from './atomicFolder.ts';

/**
 * `payoutMultiplier` is an integer in hundredths of the base bet. Other members are published as
 * they are.
 */
export type PublishedBook = { id: number; payoutMultiplier: number; events: unknown[]; [more: string]: unknown };

/** `weight` is an integer from 0 to 2^64−1. */
export type WeightedBook = PublishedBook & { weight: number | bigint };

/** `cost` is in base bets, above zero. `books` is read once and never held as a whole. */
export type PublishedMode = { name: string; cost: number; books: Iterable<WeightedBook> };

// It is always this library and this level, also where Node has zstd. The same books must give the
// same bytes on every Node version, because a published version is pinned by its hash.
const COMPRESSION_LEVEL = 3;
const LINES_PER_CHUNK = 64;

/**
 * Writes published math: index.json, and for each mode lookUpTable_<mode>_0.csv and
 * books_<mode>.jsonl.zst. `folder` appears when all of it is on the disk, and replaces published
 * files that were there. The same input gives the same bytes. Throws RangeError for an id, weight
 * or payout that is not an integer in its range, and EEXIST when `folder` holds anything else.
 */
export async function publishMath(folder: string, modes: readonly PublishedMode[]): Promise<void> {
  await makeFolder(folder, { replaces: isPublished }, async (draft) => {
    for (const mode of modes) await publishMode(draft, mode);
    const index = { modes: modes.map((mode) => ({ name: mode.name, cost: mode.cost, ...fileNames(mode.name) })) };
    await writeFile(join(draft, INDEX_NAME), `${JSON.stringify(index, null, 2)}\n`);
  });
}

type TunedTables = {
  /** The folder holds the published files and stays as it is. */
  folder: string;
  /** The call makes this folder, which must be missing. */
  into: string;
  modes: readonly { mode: MathMode; weights: BigUint64Array }[];
};

/**
 * Writes published files with the new weights: `into` appears when all of it is written. Books and
 * index.json are copied. Rejects with the I/O error, and EEXIST when `into` exists.
 */
export async function publishTuned({ folder, into, modes }: TunedTables): Promise<void> {
  await makeFolder(into, {}, async (draft) => {
    await cp(folder, draft, { recursive: true, mode: constants.COPYFILE_FICLONE });
    for (const { mode, weights } of modes) {
      const rows = Array.from(mode.books(), ({ bookID, position, payoutMultiplier }) => {
        return `${bookID},${weights[position]},${payoutMultiplier}\n`;
      });
      await writeFile(join(draft, mode.files.table.name), rows.join(''));
    }
  });
}

function fileNames(mode: string): { events: string; weights: string } {
  return { events: `books_${mode}.jsonl.zst`, weights: `lookUpTable_${mode}_0.csv` };
}

function isPublished(name: string): boolean {
  return name === INDEX_NAME || /^(lookUpTable_.*[.]csv|books_.*[.]jsonl[.]zst)$/.test(name);
}

async function publishMode(folder: string, mode: PublishedMode): Promise<void> {
  const names = fileNames(mode.name);
  const rows: string[] = [];
  // The import is not at the top of the file: where the package has no binary, a server must still
  // be able to start.
  const { Compressor } = await import('@cloudpss/zstd/napi');
  await pipeline(
    Readable.from(lines(mode.books, rows)),
    new Compressor(COMPRESSION_LEVEL),
    createWriteStream(join(folder, names.events)),
  );
  await writeFile(join(folder, names.weights), rows.join(''));
}

function* lines(books: Iterable<WeightedBook>, rows: string[]): Generator<Buffer> {
  let chunk: string[] = [];
  for (const { weight, ...book } of books) {
    requireInteger('id', book.id, Number.MAX_SAFE_INTEGER);
    requireInteger('payoutMultiplier', book.payoutMultiplier, Number.MAX_SAFE_INTEGER);
    requireInteger('weight', weight, 2n ** 64n - 1n);
    rows.push(`${book.id},${weight},${book.payoutMultiplier}\n`);
    chunk.push(`${JSON.stringify(book)}\n`);
    if (chunk.length < LINES_PER_CHUNK) continue;
    yield Buffer.from(chunk.join(''));
    chunk = [];
  }
  if (chunk.length > 0) yield Buffer.from(chunk.join(''));
}

function requireInteger(name: string, value: unknown, max: number | bigint): void {
  const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (!isInteger || (value as number | bigint) < 0 || (value as number | bigint) > max) {
    throw new RangeError(`${name} must be an integer from 0 to ${max}, not ${String(value)}`);
  }
}
