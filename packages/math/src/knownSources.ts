import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileIdentity, identityOf, isSameFile } from './sourceFile.ts';

/**
 * What a published folder held when it was last read, so that an unchanged one need not be read
 * again. Only a shortcut: a lost or broken entry costs one reading.
 */
export type KnownSources = { sha256: string; files: Record<string, FileIdentity> };

const SUBFOLDER = '.sources';

/**
 * The package that the folder is known to hold; undefined when unknown, or when one of its files is
 * another now.
 */
export async function recallSources(storeFolder: string, folder: string): Promise<string | undefined> {
  try {
    const known = JSON.parse(await readFile(await entryPath(storeFolder, folder), 'utf8')) as KnownSources;
    for (const [name, identity] of Object.entries(known.files)) {
      const now = identityOf(await stat(join(folder, name), { bigint: true }));
      if (!isSameFile(now, identity)) return undefined;
    }
    return known.sha256;
  } catch {
    return undefined;
  }
}

export async function rememberSources(storeFolder: string, folder: string, known: KnownSources): Promise<void> {
  const path = await entryPath(storeFolder, folder);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  await mkdir(join(storeFolder, SUBFOLDER), { recursive: true });
  await writeFile(temporary, JSON.stringify(known));
  await rename(temporary, path);
}

async function entryPath(storeFolder: string, folder: string): Promise<string> {
  const name = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex');
  return join(storeFolder, SUBFOLDER, `${name}.json`);
}
