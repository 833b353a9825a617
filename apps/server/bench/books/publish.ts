import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Compressor } from '@cloudpss/zstd/napi';
import { benchBooks } from './generate.ts';

export const BOOKS_NAME = 'books_base.jsonl.zst';
const TABLE_NAME = 'lookUpTable_base_0.csv';
/** zstd's own default, and what the published files that we have seen were made with. */
const LEVEL = 3;
const BOOKS_PER_CHUNK = 64;

/** Writes a published mode of so many books, a chunk at a time. publishMath would write them without the blanks. */
export async function publishBenchBooks(folder: string, books: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const table = await open(path.join(folder, TABLE_NAME), 'w');
  try {
    const file = createWriteStream(path.join(folder, BOOKS_NAME));
    await pipeline(Readable.from(bookChunks(books, table)), new Compressor(LEVEL), file);
  } finally {
    await table.close();
  }
  const mode = { name: 'base', cost: 1, events: BOOKS_NAME, weights: TABLE_NAME };
  await writeFile(path.join(folder, 'index.json'), JSON.stringify({ modes: [mode] }, null, 4));
}

/** Lines for the book file; their rows go into the table on the way. */
async function* bookChunks(books: number, table: FileHandle): AsyncGenerator<Buffer> {
  let lines = '';
  let rows = '';
  let count = 0;
  for (const { book, row } of benchBooks(books)) {
    lines += `${book}\n`;
    rows += `${row}\n`;
    count += 1;
    if (count % BOOKS_PER_CHUNK !== 0 && count < books) continue;
    await table.write(rows);
    yield Buffer.from(lines);
    lines = '';
    rows = '';
  }
}
