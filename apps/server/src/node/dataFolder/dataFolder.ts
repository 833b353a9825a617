import { chmod, mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '@roundhouse/service';
import { asStartError, claim, DataFolderInUse, LOCK, type RunningServer, releaseLock, rewriteLock } from './lock.ts';
import { thisProcess } from './processIdentity.ts';
import { SECRETS_KEY_FILE } from './secretsKey.ts';

const MARKER = '.roundhouse-data';
/** A server has at most this many data folders, the first one included. */
const NEXT_FOLDERS = 20;
const MARKER_TEXT =
  'This folder belongs to Roundhouse: "roundhouse dev" keeps its database here, and --fresh empties it.\n';

export type DataFolder = {
  /** The path is real and absolute. */
  folder: string;
  /** Publishes where this server listens, for a second start and for commands beside it. */
  announce(where: Omit<RunningServer, 'process'>): Promise<void>;
  /** Releases the folder for the next start. May be called more than once. */
  release(): Promise<void>;
};

type OpenOptions = {
  folder: string;
  /** When given, the start empties the folder, and this function removes the database in it. */
  removeDatabase?: ((folder: string) => Promise<void>) | undefined;
  /** When a server runs on the folder, takes the next one beside it, like `.roundhouse-2`. */
  orNextData?: boolean;
};

/**
 * Takes a data folder for this process alone, and creates it when it is missing. Throws StartError
 * when a server runs on it, or when another user owns it.
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

/**
 * Creates the folder, or checks that Roundhouse made it, and returns its real path. Takes no lock:
 * several nodes may share the books.
 */
export async function prepareDataFolder(folder: string): Promise<string> {
  try {
    const made = await mkdir(folder, { recursive: true });
    // Other users may enter the folder but not list it: when root starts the server, PostgreSQL
    // runs as another user.
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

/** Keeps the key of secrets: the database may be elsewhere, and its secrets are still needed. */
async function empty(folder: string): Promise<void> {
  for (const entry of await readdir(folder)) {
    if (![MARKER, LOCK, SECRETS_KEY_FILE].includes(entry))
      await rm(path.join(folder, entry), { recursive: true, force: true });
  }
}
