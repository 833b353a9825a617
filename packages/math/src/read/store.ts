import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { syncPath } from '../make/atomicFolder.ts';
import type { MathMode, MathPackage } from '../types.ts';
import { MANIFEST_NAME, readManifest, type StoreManifest } from './manifest.ts';
import { StoredMode } from './storedMode.ts';

const LOADING_PREFIX = '.loading';
/**
 * A loader writes all the time. One that was silent for so long is gone, also where nobody can look
 * for its process.
 */
const ABANDONED_AFTER_MS = 10 * 60 * 1000;

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

/** Makes a new empty folder for a store in the making. */
export async function makeLoadingFolder(storeFolder: string): Promise<string> {
  const name = [LOADING_PREFIX, hostname(), process.pid, Date.now(), randomBytes(6).toString('hex')].join('~');
  const folder = join(storeFolder, name);
  await mkdir(folder, { recursive: true });
  return folder;
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

/** Removes what interrupted loads left behind; what a living process is loading stays. */
export async function sweepStore(storeFolder: string): Promise<void> {
  for (const name of await readdir(storeFolder)) {
    if (!name.startsWith(LOADING_PREFIX) || (await isBeingLoaded(storeFolder, name))) continue;
    await rm(join(storeFolder, name), { recursive: true, force: true });
  }
}

async function isBeingLoaded(storeFolder: string, name: string): Promise<boolean> {
  if (Date.now() - (await newestChangeMs(join(storeFolder, name))) > ABANDONED_AFTER_MS) return false;
  const [, host, pid, createdMs] = name.split('~');
  if (host !== hostname()) return true;
  // In a container that starts again the process often has the number of the one that died.
  const isMine = Number(pid) === process.pid;
  return isMine ? Number(createdMs) > Date.now() - process.uptime() * 1000 : isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function newestChangeMs(folder: string): Promise<number> {
  const paths = [folder, ...(await readdir(folder).catch(() => [])).map((name) => join(folder, name))];
  const times = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        (found) => found.mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.max(...times);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
