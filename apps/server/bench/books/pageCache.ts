import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Asks the system to forget what it holds of the files below `folder`: a call that only coreutils' dd makes for us. */
export async function dropFromPageCache(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    // Where there is no such dd the files stay, and bytesFromDisk tells.
    await run('dd', [`of=${file}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0']).catch(() => undefined);
  }
}

/** Bytes that this process has made the system fetch from a disk so far; undefined where it does not count them. */
export async function bytesFromDisk(): Promise<number | undefined> {
  const counters = await readFile('/proc/self/io', 'utf8').catch(() => '');
  const bytes = /^read_bytes: (\d+)$/m.exec(counters)?.[1];
  return bytes === undefined ? undefined : Number(bytes);
}
