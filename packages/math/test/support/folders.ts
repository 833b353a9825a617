import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compress } from '@cloudpss/zstd/napi';
import { onTestFinished } from 'vitest';

/** Makes a folder that is removed when the running test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'roundhouse-math-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * `index`, `table` and `books` are the texts of the files: `books` before compression, `booksFile`
 * as it is.
 */
export type RawMath = { index?: string; table?: string | Buffer; books?: string | Buffer; booksFile?: Buffer };

export const indexText = JSON.stringify({
  modes: [{ name: 'base', cost: 1.0, events: 'books.jsonl.zst', weights: 'table.csv' }],
});
export const tableText = '0,1,0\n1,2,150\n2,1,20\n';
export const bookTexts = [
  '{"id": 0, "payoutMultiplier": 0, "events": [{"type": "reveal"}]}',
  '{"id": 1, "payoutMultiplier": 150, "events": [{"type": "win", "text": "a ] \\" } é"}, 1e2], "criteria": "x"}',
  '{"events":[ [] ],"payoutMultiplier":20,"id":2}',
];
export const booksText = `${bookTexts.join('\n')}\n`;

/** Writes published math byte for byte as given; what is not given is a small correct package. */
export async function writeRawMath(raw: RawMath = {}): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'index.json'), raw.index ?? indexText);
  await writeFile(join(folder, 'table.csv'), raw.table ?? tableText);
  await writeFile(join(folder, 'books.jsonl.zst'), raw.booksFile ?? zstd(raw.books ?? booksText));
  return folder;
}

/** Returns one zstd frame without a checksum. */
export function zstd(content: string | Uint8Array): Buffer {
  return Buffer.from(compress(Buffer.from(content)));
}
