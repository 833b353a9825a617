import { createHash, randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '@roundhouse/service';
import type { DatabaseIdentity } from '../../store/database/databaseHome.ts';
import { isStillRunning, type ProcessIdentity, thisProcess } from './processIdentity.ts';

export const LOCK = 'running.json';

/** What a running server writes into its data folder. */
export type RunningServer = {
  process: ProcessIdentity;
  /** The server stores its address once it listens. */
  url?: string;
  /**
   * Commands beside the server use its database (a new session, limits, the proof of the books).
   */
  databaseUrl?: string;
  /** A command on another database must not use the address of this server. */
  database?: DatabaseIdentity;
  /** The page that launch URLs open, when another server has it. */
  frontendUrl?: string | undefined;
  /** Commands beside the server read the secrets of operators with this key. */
  secretsKey?: string;
};

/** A server runs on the data folder. */
export class DataFolderInUse extends StartError {}

/** Returns the server that runs on a data folder at this moment, if any. */
export async function runningServer(folder: string): Promise<RunningServer | undefined> {
  const server = parseLock(await readFile(path.join(folder, LOCK), 'utf8').catch(() => ''));
  return server && isStillRunning(server.process) ? server : undefined;
}

/**
 * Takes the lock. To replace the lock of a dead process, a start must own a second lock. Its name
 * comes from the text of the first lock. So only one of many starts can own it, and the first lock
 * cannot change meanwhile.
 */
export async function claim(file: string, folder: string): Promise<void> {
  for (;;) {
    if (await createWhole({ file, text: lockText({ process: thisProcess() }) })) return;
    const text = await readIfThere(file);
    if (text === undefined) continue;
    const holder = parseLock(text);
    if (holder && isStillRunning(holder.process)) throw alreadyRuns(folder, holder);
    const successor = `${file}.after-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    // The owner of the second lock may also have died, between the two steps: this start then takes
    // it over in the same way.
    await claim(successor, folder);
    if ((await readIfThere(file)) === text) return rename(successor, file);
    await rm(successor, { force: true });
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

function alreadyRuns(folder: string, holder: RunningServer): DataFolderInUse {
  const where = [`process ${holder.process.pid}`, ...(holder.url ? [holder.url] : [])].join(', ');
  return new DataFolderInUse(
    `Roundhouse already runs on ${folder} (${where}): stop it, or give another folder with --data`,
  );
}

/** Creates a file with all of its text, or not at all. Returns false when the file exists. */
async function createWhole(options: { file: string; text: string }): Promise<boolean> {
  const unfinished = `${options.file}.${randomBytes(4).toString('hex')}`;
  await writeFile(unfinished, options.text, { mode: 0o600 }).catch((error) => {
    throw asStartError(error, path.dirname(options.file));
  });
  try {
    await link(unfinished, options.file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}

export async function rewriteLock(folder: string, server: RunningServer): Promise<void> {
  const lock = path.join(folder, LOCK);
  await writeFile(`${lock}.new`, lockText(server), { mode: 0o600 });
  await rename(`${lock}.new`, lock);
}

export async function releaseLock(folder: string): Promise<void> {
  const lock = path.join(folder, LOCK);
  const holder = parseLock(await readFile(lock, 'utf8').catch(() => ''));
  if (holder?.process.pid === process.pid) await rm(lock, { force: true });
}

function lockText(server: RunningServer): string {
  return `${JSON.stringify(server)}\n`;
}

function parseLock(text: string): RunningServer | undefined {
  try {
    const server = JSON.parse(text) as RunningServer;
    return Number.isInteger(server.process.pid) ? server : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Explains an error of the file system to the person who starts the server; keeps any other error.
 */
export function asStartError(error: NodeJS.ErrnoException, folder: string): Error {
  if (error.code === 'EEXIST' || error.code === 'ENOTDIR') return new StartError(`The data folder ${folder} is a file`);
  if (error.code === 'EACCES' || error.code === 'EPERM')
    return new StartError(`The data folder ${folder} belongs to another user`);
  if (error.code === 'EROFS' || error.code === 'ENOSPC')
    return new StartError(`The data folder ${folder} cannot be written to (${error.code})`);
  return error;
}
