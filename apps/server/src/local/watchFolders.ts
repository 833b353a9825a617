import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';

export type FolderWatch = {
  /**
   * Watches these folders from now on, and no others, for changes of the named entries. It waits
   * for a folder that is not there.
   */
  set(places: Places): Promise<void>;
  close(): void;
};

type Places = ReadonlyMap<string, ReadonlySet<string> | 'all'>;
type Watched = { watcher: FSWatcher; identity: string; concerns: (entry: string) => boolean; isGone: boolean };

/**
 * Calls `onChange` at each change of an entry of the folders, and when one of them goes or comes
 * back. It uses no recursive watch: the folder of a project holds node_modules, and on Linux the
 * recursive watch of Node 20 loses new folders.
 */
export function watchFolders(onChange: () => void): FolderWatch {
  const watched = new Map<string, Watched>();
  let isClosed = false;

  const drop = (folder: string) => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };

  const add = (folder: string, identity: string, concerns: Watched['concerns']) => {
    const watcher = openWatcher(folder);
    if (watcher === undefined) return;
    const entryOfIt: Watched = { watcher, identity, concerns, isGone: false };
    watcher.on('change', (event, entry) => {
      // Linux names the folder itself when it is gone: a new folder needs another watcher.
      const isItself = event === 'rename' && entry === path.basename(folder);
      if (isItself) entryOfIt.isGone = true;
      if (isItself || entry === null || entryOfIt.concerns(String(entry))) onChange();
    });
    // On Windows the end of a watched folder is an error.
    watcher.on('error', () => {
      entryOfIt.isGone = true;
      onChange();
    });
    watched.set(folder, entryOfIt);
  };

  return {
    async set(places) {
      const wanted = await withAncestors(places);
      for (const folder of [...watched.keys()]) if (!wanted.has(folder)) drop(folder);
      for (const [folder, entries] of wanted) {
        const concerns = (entry: string) => entries === 'all' || entries.has(entry);
        const known = watched.get(folder);
        const identity = await identityOf(folder);
        if (isClosed) return;
        if (known !== undefined && !known.isGone && known.identity === identity) {
          known.concerns = concerns;
          continue;
        }
        drop(folder);
        if (identity !== undefined) add(folder, identity, concerns);
      }
    },
    close() {
      isClosed = true;
      for (const folder of [...watched.keys()]) drop(folder);
    },
  };
}

/** Returns undefined when the folder has gone meanwhile: the watcher above sees it come back. */
function openWatcher(folder: string): FSWatcher | undefined {
  try {
    return watch(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Adds the folders above, in which a watched folder may go or come back. */
async function withAncestors(places: Places): Promise<Map<string, Set<string> | 'all'>> {
  const wanted = new Map<string, Set<string> | 'all'>();
  for (const [folder, entries] of places) {
    if ((await identityOf(folder)) !== undefined) {
      const known = wanted.get(folder) ?? new Set();
      wanted.set(folder, entries === 'all' || known === 'all' ? 'all' : new Set([...known, ...entries]));
    }
    await addEntryAbove(folder, wanted);
  }
  return wanted;
}

/** Adds the folder's name in the one above it; when that is missing, its name further up. */
async function addEntryAbove(folder: string, wanted: Map<string, Set<string> | 'all'>): Promise<void> {
  const above = path.dirname(folder);
  if (above === folder) return;
  if ((await identityOf(above)) === undefined) return addEntryAbove(above, wanted);
  const entries = wanted.get(above) ?? new Set<string>();
  if (entries !== 'all') wanted.set(above, entries.add(path.basename(folder)));
}

/** The time of birth counts too: a file system may give a new folder the inode of the old one. */
async function identityOf(folder: string): Promise<string | undefined> {
  const found = await stat(folder, { bigint: true }).catch(() => undefined);
  return found?.isDirectory() ? `${found.ino} ${found.birthtimeNs}` : undefined;
}
