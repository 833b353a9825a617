import { type FileHandle, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeLoadingFolder } from '../read/loadingFolder.ts';
import type { ModeRows } from '../read/storeFiles.ts';
import { TableTree } from './tableTree.ts';
import { hashBooks, writeTree } from './writeTree.ts';

type TreeSource = { rows: ModeRows; events: FileHandle };

/** Returns the name of the tree beside the rows of a mode. */
export function treeNameOf(rowsName: string): string {
  return rowsName.replace(/[.]rows$/, '.tree');
}

/**
 * Opens the tree at `path`, in a folder of the store. Makes it first when it is missing, as in a
 * store of an earlier release, or damaged. Processes that do so at once put the same file in place.
 */
export async function openOrMakeTree(path: string, { rows, events }: TreeSource): Promise<TableTree> {
  const found = await TableTree.open(path, rows);
  if (found !== undefined) return found;
  const folder = await makeLoadingFolder(dirname(dirname(path)));
  try {
    const draft = join(folder, 'tree');
    await writeTree(draft, rows, await hashBooks(rows.offsets, events));
    await rename(draft, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const made = await TableTree.open(path, rows);
  if (made === undefined) throw new Error(`the tree ${path} is damaged right after it was written`);
  return made;
}
