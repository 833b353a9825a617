import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const LOADING_PREFIX = '.loading';
/**
 * A loader writes all the time. One that was silent for this time is gone, also where nobody can
 * look for its process.
 */
const ABANDONED_AFTER_MS = 10 * 60 * 1000;

/** Makes a new empty folder for a store, or a part of one, in the making. */
export async function makeLoadingFolder(storeFolder: string): Promise<string> {
  const name = [LOADING_PREFIX, hostname(), process.pid, Date.now(), randomBytes(6).toString('hex')].join('~');
  const folder = join(storeFolder, name);
  await mkdir(folder, { recursive: true });
  return folder;
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
