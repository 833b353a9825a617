import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, link, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '@roundhouse/service';
import type { DatabaseIdentity } from '../ledger/queries/databaseHome.ts';

const MARKER = '.roundhouse-data';
const LOCK = 'running.json';
/**
 * Beside the database of `roundhouse dev`, so that its operators are there again at the next start.
 */
const SECRETS_KEY_FILE = 'secrets.key';
const SECRETS_KEY_BYTES = 32;
/** Of a data folder and those beside it, so many may have a server. */
const NEXT_FOLDERS = 20;
const MARKER_TEXT =
  'This folder belongs to Roundhouse: "roundhouse dev" keeps its database here, and --fresh empties it.\n';

/** What a running server writes about itself into its data folder. */
export type RunningServer = {
  process: ProcessIdentity;
  /** Where it listens, once it does. */
  url?: string;
  /**
   * The database it uses, for commands beside it (a new session, limits, the books-balance proof).
   */
  databaseUrl?: string;
  /**
   * Which database that is. A command on another database must not use the address of this server.
   */
  database?: DatabaseIdentity;
  /** The page of its launch URLs, when another server has it. */
  frontendUrl?: string | undefined;
  /** By which it reads the secrets of operators, for commands beside it. */
  secretsKey?: string;
};

export type DataFolder = {
  /** The real, absolute path. */
  folder: string;
  /** Writes where this server listens, for a second start and for commands beside it. */
  announce(where: Omit<RunningServer, 'process'>): Promise<void>;
  /** Lets the next start in. May be called more than once. */
  release(): Promise<void>;
};

/** A server runs on the data folder. */
class DataFolderInUse extends StartError {}

type OpenOptions = {
  folder: string;
  /** Empties it first. This function removes the database in the folder. */
  removeDatabase?: ((folder: string) => Promise<void>) | undefined;
  /** Takes the folder beside it, like `.roundhouse-2`, when a server runs on it. */
  orNextData?: boolean;
};

/**
 * Takes a data folder for this process alone, making it when it is missing. Throws StartError when
 * a server runs on it, or when it is somebody else's folder.
 */
export async function openDataFolder({ orNextData = false, ...options }: OpenOptions): Promise<DataFolder> {
  const first = path.resolve(options.folder);
  for (let number = 1; ; number += 1) {
    try {
      return await takeDataFolder({ ...options, folder: number === 1 ? first : `${first}-${number}` });
    } catch (error) {
      const isLast = !orNextData || number === NEXT_FOLDERS;
      if (isLast || !(error instanceof DataFolderInUse)) throw error;
    }
  }
}

async function takeDataFolder(options: Omit<OpenOptions, 'orNextData'>): Promise<DataFolder> {
  const { removeDatabase } = options;
  const folder = await prepareDataFolder(options.folder);
  await claim(path.join(folder, LOCK), folder);
  try {
    if (removeDatabase !== undefined) {
      await removeDatabase(folder);
      await empty(folder);
    }
  } catch (error) {
    await releaseLock(folder);
    throw error;
  }
  return {
    folder,
    announce: (where) => rewriteLock(folder, { process: thisProcess(), ...where }),
    release: () => releaseLock(folder),
  };
}

/** The server that runs on a data folder at this moment, if any. */
export async function runningServer(folder: string): Promise<RunningServer | undefined> {
  const server = parseLock(await readFile(path.join(folder, LOCK), 'utf8').catch(() => ''));
  return server && isStillRunning(server.process) ? server : undefined;
}

/**
 * Creates the folder, or checks that it is one of ours, and returns its real path. Takes no lock:
 * several nodes may share the books.
 */
export async function prepareDataFolder(folder: string): Promise<string> {
  try {
    const made = await mkdir(folder, { recursive: true });
    // Others may pass through, not look: when root starts us, PostgreSQL runs as another user.
    if (made !== undefined) await chmod(folder, 0o711);
    const entries = await readdir(folder);
    if (!entries.includes(MARKER)) {
      if (entries.length > 0)
        throw new StartError(`${folder} is not empty and not a data folder of Roundhouse: give an empty or a new one`);
      await writeFile(path.join(folder, MARKER), MARKER_TEXT);
    }
    return await realpath(folder);
  } catch (error) {
    throw asStartError(error as NodeJS.ErrnoException, folder);
  }
}

function asStartError(error: NodeJS.ErrnoException, folder: string): Error {
  if (error.code === 'EEXIST' || error.code === 'ENOTDIR') return new StartError(`The data folder ${folder} is a file`);
  if (error.code === 'EACCES' || error.code === 'EPERM')
    return new StartError(`The data folder ${folder} belongs to another user`);
  if (error.code === 'EROFS' || error.code === 'ENOSPC')
    return new StartError(`The data folder ${folder} cannot be written to (${error.code})`);
  return error;
}

/** All but the key of secrets: the database may be elsewhere, and then they stay. */
async function empty(folder: string): Promise<void> {
  for (const entry of await readdir(folder)) {
    if (![MARKER, LOCK, SECRETS_KEY_FILE].includes(entry))
      await rm(path.join(folder, entry), { recursive: true, force: true });
  }
}

/**
 * Takes the lock. The lock of a dead process is replaced only by the owner of a second lock, which
 * is named after the text of the first: of many starts at once only one can own it, and the first
 * lock cannot change meanwhile.
 */
async function claim(file: string, folder: string): Promise<void> {
  for (;;) {
    if (await createWhole({ file, text: lockText({ process: thisProcess() }) })) return;
    const text = await readIfThere(file);
    if (text === undefined) continue;
    const holder = parseLock(text);
    if (holder && isStillRunning(holder.process)) throw alreadyRuns(folder, holder);
    const successor = `${file}.after-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    // Its owner may have died too, in the moment between the two steps: then it is taken over in
    // the same way.
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

/** A file appears with all of its text or not at all; false when it is there already. */
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

async function rewriteLock(folder: string, server: RunningServer): Promise<void> {
  const lock = path.join(folder, LOCK);
  await writeFile(`${lock}.new`, lockText(server), { mode: 0o600 });
  await rename(`${lock}.new`, lock);
}

async function releaseLock(folder: string): Promise<void> {
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
 * The key of this data folder for the secrets of operators, made at the first start. Nobody but its
 * owner may read the file.
 */
export async function keptSecretsKey(folder: string): Promise<string> {
  const file = path.join(folder, SECRETS_KEY_FILE);
  const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (known !== undefined) return known.trim();
  const made = randomBytes(SECRETS_KEY_BYTES).toString('hex');
  // Under another name first: a start that is killed here leaves no half of a key.
  await writeFile(`${file}.new`, `${made}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return made;
}

/**
 * A process number alone is not enough: after a restart of the machine or the container another
 * process soon has it.
 */
export type ProcessIdentity = {
  pid: number;
  /** When the process began, as the system says it; empty on Windows, which does not say it. */
  began: string;
};

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, began: beganAt(process.pid) ?? '' };
}

function isStillRunning({ pid, began }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, and another user's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return beganAt(pid) === began;
}

function beganAt(pid: number): string | undefined {
  if (process.platform === 'win32') return '';
  return process.platform === 'linux' ? beganOnLinux(pid) : beganByPs(pid);
}

function beganOnLinux(pid: number): string | undefined {
  try {
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The name in brackets may hold spaces and brackets itself, so the fields are counted from its
    // end; proc(5): state is 3, starttime 22.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie only waits for its parent to take note: it runs no more.
    return fields[0] === 'Z' ? undefined : `${bootId}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

function beganByPs(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
