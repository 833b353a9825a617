import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';
import type { PublishedFile } from '../types.ts';
import type { RowsFile } from './storeFiles.ts';

export type StoredModeEntry = {
  name: string;
  key: string;
  cost: string;
  files: { table: PublishedFile; books: PublishedFile };
  rowsName: string;
  rows: RowsFile;
  eventsName: string;
};

/** Describes a finished store. It is the last file written, so a folder that has it is complete. */
export type StoreManifest = { format: string; sha256: string; index: PublishedFile; modes: StoredModeEntry[] };

export const MANIFEST_NAME = 'manifest.json';
/** Rows lie on disk as they lie in memory, so a store belongs to machines of one byte order. */
export const storeFormat = `roundhouse-math-1-${endianness()}`;

/** Returns the hash of a package: of index.json and of every file it names, in its order. */
export function packageSha256(index: PublishedFile, modes: readonly { files: StoredModeEntry['files'] }[]): string {
  const files = [index, ...modes.flatMap(({ files }) => [files.table, files.books])];
  return createHash('sha256')
    .update(files.map((file) => `${file.sha256} ${file.name}\n`).join(''))
    .digest('hex');
}

/** Returns undefined when the folder holds no finished store of this format. */
export async function readManifest(folder: string): Promise<StoreManifest | undefined> {
  const text = await readFile(join(folder, MANIFEST_NAME), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    const manifest = JSON.parse(text) as StoreManifest;
    return manifest.format === storeFormat ? manifest : undefined;
  } catch {
    return undefined;
  }
}
