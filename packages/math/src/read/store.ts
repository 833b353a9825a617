import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncPath } from '../make/atomicFolder.ts';
import type { MathMode, MathPackage } from '../types.ts';
import { makeLoadingFolder } from './loadingFolder.ts';
import { MANIFEST_NAME, readManifest, type StoreManifest } from './manifest.ts';
import { StoredMode } from './storedMode.ts';

/**
 * Opens the finished store in `folder`; undefined when there is none, or its files are not what its
 * manifest says.
 */
export async function openStore(
  folder: string,
  { sha256, reopened }: { sha256: string; reopened: boolean },
): Promise<MathPackage | undefined> {
  const manifest = await readManifest(folder);
  if (manifest === undefined || manifest.sha256 !== sha256) return undefined;
  const modes = new Map<string, StoredMode>();
  const close = async (): Promise<void> => {
    await Promise.all([...modes.values()].map((mode) => mode.close()));
  };
  for (const entry of manifest.modes) {
    const mode = await StoredMode.open(folder, entry).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    if (mode === undefined) {
      await close();
      return undefined;
    }
    modes.set(entry.key, mode);
  }
  return { sha256, modes: modes as ReadonlyMap<string, MathMode>, reopened, close };
}

/**
 * Turns a finished folder into the store `sha256`. When another process was first, its store stays.
 * Whatever is in the way without being a whole store, such as one that lost a file, is replaced.
 */
export async function commitStore(storeFolder: string, folder: string, manifest: StoreManifest): Promise<void> {
  const path = join(folder, MANIFEST_NAME);
  await writeFile(path, JSON.stringify(manifest, null, 2));
  await syncPath(path);
  await syncPath(folder);
  const target = join(storeFolder, manifest.sha256);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(folder, target);
      break;
    } catch (error) {
      if (attempt === 3 || !(await exists(target))) throw error;
    }
    const winner = await openStore(target, { sha256: manifest.sha256, reopened: true });
    await winner?.close();
    if (winner !== undefined) return;
    const aside = await makeLoadingFolder(storeFolder);
    await rename(target, join(aside, 'damaged')).catch(() => undefined);
    await rm(aside, { recursive: true, force: true });
  }
  await syncPath(storeFolder);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
