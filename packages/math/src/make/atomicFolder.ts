import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

type FolderOptions = {
  /** A folder in the way is replaced when this is true of all names in it. Without it none is. */
  replaces?: (name: string) => boolean;
};

/**
 * Makes `folder` in one step: `fill` writes into a draft beside it, and a rename puts the draft in
 * place when all of it is on the disk. So a reader finds the former folder or the new one, never a
 * part of either; for an instant between two renames it finds none (decision 007). A process that
 * is killed meanwhile leaves its draft, a folder whose name starts with a dot. Rejects with an I/O
 * error, with code EEXIST for a folder in the way that must not be replaced.
 */
export async function makeFolder(
  folder: string,
  { replaces }: FolderOptions,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const target = resolve(folder);
  await requireReplaceable(target, replaces);
  const aside = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`);
  const draft = join(aside, 'new');
  await mkdir(draft, { recursive: true });
  try {
    await fill(draft);
    await syncTree(draft);
    await requireReplaceable(target, replaces);
    await replaceFolder(target, { draft, former: join(aside, 'former') });
    await syncPath(dirname(target));
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function requireReplaceable(target: string, replaces: FolderOptions['replaces']): Promise<void> {
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (names === undefined) return;
  const kept = replaces === undefined ? undefined : names.find((name) => !replaces(name));
  if (replaces !== undefined && kept === undefined) return;
  const message = kept === undefined ? `${target} exists` : `${target} is not replaced: ${kept} is in it`;
  throw Object.assign(new Error(message), { code: 'EEXIST' });
}

const MAX_ATTEMPTS = 5;

/**
 * Another process may put its own folder in place between the two renames: then both are repeated.
 */
async function replaceFolder(target: string, { draft, former }: { draft: string; former: string }): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await rm(former, { recursive: true, force: true });
    const wasThere = await rename(target, former).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return false;
        throw error;
      },
    );
    try {
      await rename(draft, target);
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isInTheWay = code === 'ENOTEMPTY' || code === 'EEXIST';
      if (isInTheWay && attempt < MAX_ATTEMPTS) continue;
      if (wasThere) await rename(former, target).catch(() => undefined);
      throw error;
    }
  }
}

async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) await syncPath(join(entry.parentPath, entry.name));
  await syncPath(folder);
}

/**
 * Makes sure that what was written, or for a folder which names are in it, survives a power cut.
 */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Windows cannot sync a folder, and does not need to: a rename is durable there.
    if (process.platform !== 'win32') throw error;
  } finally {
    await handle.close();
  }
}
