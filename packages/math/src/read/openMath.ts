import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BookHasher } from '../tree/bookHasher.ts';
import { treeNameOf } from '../tree/openTree.ts';
import { writeTree } from '../tree/writeTree.ts';
import type { LoadProgress, MathOutcome, MathPackage, PublishedFile } from '../types.ts';
import { readBookFile } from './bookFile.ts';
import { prepareDecoder } from './decodeZstd.ts';
import { IssueList, issueOf } from './issues.ts';
import { makeLoadingFolder, sweepStore } from './loadingFolder.ts';
import { type LookupTable, readLookupTable } from './lookupTable.ts';
import { packageSha256, type StoredModeEntry, storeFormat } from './manifest.ts';
import { INDEX_NAME, type IndexedMode, type PublishedIndex, readPublishedIndex } from './publishedIndex.ts';
import { type FileIdentity, recallSources, rememberSources, SourceFile } from './sourceFile.ts';
import { commitStore, openStore } from './store.ts';
import { EventsWriter, writeRows } from './storeFiles.ts';

export type OpenMathOptions = {
  /**
   * The folder holds index.json and what it names. It may be reached through a symbolic link, and
   * its files are none.
   */
  folder: string;
  /**
   * The folder is made when it is missing. Many packages and processes may share it. It takes the
   * size of the uncompressed events.
   */
  storeFolder: string;
  /**
   * Called about ten times a second and at the end of each mode, but not when the store already has
   * the math.
   */
  onProgress?: (progress: LoadProgress) => void;
  signal?: AbortSignal;
};

/**
 * Verifies published math and streams it once into a store below `storeFolder`, or reopens what is
 * already there and still matches the files. Wrong or unreadable files are the outcome's issues;
 * rejects only with the signal's reason, or for a defect of the program.
 */
export async function openMath(options: OpenMathOptions): Promise<MathOutcome<MathPackage>> {
  const issues = new IssueList();
  try {
    await mkdir(options.storeFolder, { recursive: true });
    await sweepStore(options.storeFolder);
    const opened = (await reopen(options)) ?? (await readAndLoad(options, issues));
    return opened === undefined ? issues.failure() : { ok: true, value: opened };
  } catch (error) {
    const issue = issueOf(error, options.storeFolder);
    if (issue === undefined || options.signal?.aborted === true) throw error;
    issues.add(issue);
    return issues.failure();
  }
}

/**
 * Opens a store by the package's hash, without the published files: rounds that were played on an
 * older version still need its books.
 */
export async function openStoredMath(options: {
  storeFolder: string;
  sha256: string;
}): Promise<MathOutcome<MathPackage>> {
  const { storeFolder, sha256 } = options;
  const issues = new IssueList();
  try {
    const isHash = /^[0-9a-f]{64}$/.test(sha256);
    const found = isHash ? await openStore(join(storeFolder, sha256), { sha256, reopened: true }) : undefined;
    if (found !== undefined) return { ok: true, value: found };
    issues.add({ file: sha256, message: 'is not in the store, or is damaged there' });
  } catch (error) {
    const issue = issueOf(error, sha256);
    if (issue === undefined) throw error;
    issues.add(issue);
  }
  return issues.failure();
}

async function reopen({ folder, storeFolder }: OpenMathOptions): Promise<MathPackage | undefined> {
  const sha256 = await recallSources(storeFolder, folder);
  return sha256 === undefined ? undefined : openStore(join(storeFolder, sha256), { sha256, reopened: true });
}

async function readAndLoad(options: OpenMathOptions, issues: IssueList): Promise<MathPackage | undefined> {
  const index = await readPublishedIndex(options.folder, issues);
  const isStoreEmpty = !(await readdir(options.storeFolder)).some((name) => /^[0-9a-f]{64}$/.test(name));
  const known = isStoreEmpty || issues.count > 0 ? undefined : await openByHash(options, index);
  return known ?? (await load({ options, index, issues }));
}

type Load = { options: OpenMathOptions; index: PublishedIndex; issues: IssueList };

/**
 * Looks whether the store has these files from another folder or another time: hashing is faster
 * than loading.
 */
async function openByHash(options: OpenMathOptions, index: PublishedIndex): Promise<MathPackage | undefined> {
  const { folder, storeFolder, signal } = options;
  const identities: Record<string, FileIdentity> = { [INDEX_NAME]: index.identity };
  const modes: { files: StoredModeEntry['files'] }[] = [];
  const hash = async (name: string): Promise<PublishedFile> => {
    signal?.throwIfAborted();
    const source = await SourceFile.open(folder, name);
    identities[name] = source.identity;
    return source.finish().finally(() => source.close());
  };
  try {
    for (const mode of index.modes)
      modes.push({ files: { table: await hash(mode.table), books: await hash(mode.books) } });
  } catch (error) {
    // The load that follows finds the same, and reports it with whatever else there is.
    if (issueOf(error, INDEX_NAME) === undefined) throw error;
    return undefined;
  }
  const sha256 = packageSha256(index.file, modes);
  const opened = await openStore(join(storeFolder, sha256), { sha256, reopened: true });
  if (opened !== undefined) await rememberSources(storeFolder, folder, { sha256, files: identities });
  return opened;
}

async function load({ options, index, issues }: Load): Promise<MathPackage | undefined> {
  const { folder, storeFolder, onProgress, signal } = options;
  const into = await makeLoadingFolder(storeFolder);
  try {
    const identities: Record<string, FileIdentity> = { [INDEX_NAME]: index.identity };
    const modes: StoredModeEntry[] = [];
    for (const [position, mode] of index.modes.entries()) {
      const entry = await loadMode({ folder, into, mode, position, issues, identities, onProgress, signal });
      if (entry !== undefined) modes.push(entry);
    }
    if (issues.count > 0) return undefined;
    const sha256 = packageSha256(index.file, modes);
    await commitStore(storeFolder, into, { format: storeFormat, sha256, index: index.file, modes });
    await rememberSources(storeFolder, folder, { sha256, files: identities });
    const opened = await openStore(join(storeFolder, sha256), { sha256, reopened: false });
    if (opened === undefined) throw new Error(`the store ${sha256} is damaged right after it was written`);
    return opened;
  } finally {
    await rm(into, { recursive: true, force: true });
  }
}

type ModeLoad = {
  folder: string;
  /** The mode's two files of the store are written here. */
  into: string;
  mode: IndexedMode;
  position: number;
  issues: IssueList;
  /** This list gets what identifies each file that was read. */
  identities: Record<string, FileIdentity>;
  onProgress?: ((progress: LoadProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
};

const PROGRESS_EVERY_MS = 100;
/** A smaller file is loaded before a thread has started. */
const HASHER_FROM_BYTES = 2 ** 20;

/**
 * Verifies one mode and writes its part of the store. Returns undefined when there were issues,
 * here or before.
 */
async function loadMode(load: ModeLoad): Promise<StoredModeEntry | undefined> {
  const { mode, position, issues, into } = load;
  prepareDecoder();
  const table = await readSource(load, mode.table, (source) => readLookupTable(source, issues));
  const names = { rowsName: `${position}.rows`, eventsName: `${position}.events` };
  const eventsPath = join(into, names.eventsName);
  const output = await open(eventsPath, 'wx');
  let hasher: BookHasher | undefined;
  try {
    const writer = new EventsWriter(output, (offsets) => hasher?.add(offsets));
    const books = await readSource(load, mode.books, (source) => {
      const isLarge = source.identity.bytes >= HASHER_FROM_BYTES;
      if (table !== undefined && isLarge) hasher = new BookHasher(eventsPath, table.ids.length);
      return readBooks({ load, source, table, writer });
    });
    if (table === undefined || books === undefined || issues.count > 0) return undefined;
    const rows = {
      ...table,
      offsets: await writer.finish(),
      distinctPayouts: BigUint64Array.from(table.distinctPayouts),
    };
    const rowsFile = await writeRows(join(into, names.rowsName), rows);
    // Without the hashes, opening the mode makes the tree.
    const hashes = await hasher?.finish();
    if (hashes !== undefined) await writeTree(join(into, treeNameOf(names.rowsName)), rows, hashes);
    const { name, key, cost } = mode;
    return { name, key, cost, files: { table: table.file, books }, ...names, rows: rowsFile };
  } finally {
    await hasher?.stop();
    await output.close();
  }
}

/**
 * Opens a published file for `read`. An unreadable file is one issue, and the next file is still
 * looked at.
 */
async function readSource<T>(
  load: ModeLoad,
  name: string,
  read: (source: SourceFile) => Promise<T>,
): Promise<T | undefined> {
  load.signal?.throwIfAborted();
  let source: SourceFile | undefined;
  try {
    source = await SourceFile.open(load.folder, name);
    load.identities[name] = source.identity;
    return await read(source);
  } catch (error) {
    const issue = issueOf(error, name);
    if (issue === undefined) throw error;
    load.issues.add(issue);
    return undefined;
  } finally {
    await source?.close();
  }
}

type BooksInput = { load: ModeLoad; source: SourceFile; table: LookupTable | undefined; writer: EventsWriter };

async function readBooks({ load, source, table, writer }: BooksInput) {
  let reportedMs = Number.NEGATIVE_INFINITY;
  let books = 0;
  const report = (): void => {
    const bytesTotal = source.identity.bytes;
    load.onProgress?.({ mode: load.mode.name, bytesRead: source.bytesRead, bytesTotal, books });
  };
  const onBooks = (count: number): void => {
    books = count;
    const nowMs = performance.now();
    if (nowMs - reportedMs < PROGRESS_EVERY_MS) return;
    reportedMs = nowMs;
    report();
  };
  const file = await readBookFile({ source, table, writer, issues: load.issues, onBooks, signal: load.signal });
  report();
  return file;
}
