import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { readBookFile } from './bookFile.ts';
import { EventsWriter } from './eventsWriter.ts';
import { type IssueList, issueOf } from './issues.ts';
import { type LookupTable, readLookupTable } from './lookupTable.ts';
import type { StoredModeEntry } from './manifest.ts';
import type { IndexedMode } from './publishedIndex.ts';
import { writeRows } from './rows.ts';
import { type FileIdentity, SourceFile } from './sourceFile.ts';
import type { LoadProgress } from './types.ts';

export type ModeLoad = {
  folder: string;
  /** Where the mode's two files of the store are written. */
  into: string;
  mode: IndexedMode;
  position: number;
  issues: IssueList;
  /** Gets what identifies each file that was read. */
  identities: Record<string, FileIdentity>;
  onProgress?: ((progress: LoadProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
};

const PROGRESS_EVERY_MS = 100;

/**
 * Verifies one mode and writes its part of the store. Undefined when there were issues, here or
 * before.
 */
export async function loadMode(load: ModeLoad): Promise<StoredModeEntry | undefined> {
  const { mode, position, issues, into } = load;
  const table = await readSource(load, mode.table, (source) => readLookupTable(source, issues));
  const names = { rowsName: `${position}.rows`, eventsName: `${position}.events` };
  const output = await open(join(into, names.eventsName), 'wx');
  try {
    const writer = new EventsWriter(output);
    const books = await readSource(load, mode.books, (source) => readBooks({ load, source, table, writer }));
    if (table === undefined || books === undefined || issues.count > 0) return undefined;
    const rows = await writeRows(join(into, names.rowsName), {
      ...table,
      offsets: await writer.finish(),
      distinctPayouts: BigUint64Array.from(table.distinctPayouts),
    });
    const { name, key, cost } = mode;
    return { name, key, cost, files: { table: table.file, books }, ...names, rows };
  } finally {
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
