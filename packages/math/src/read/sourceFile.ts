import { createHash, randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublishedFile } from '../types.ts';
import { UnreadableFile } from './issues.ts';
import { LINK_ISSUE, ownPath } from './ownPath.ts';

const CHUNK_BYTES = 2 ** 18;

/**
 * These facts change when a file does. ctime is one of them, because a modification time can be
 * set: an unpacked archive or an image layer may give two versions of a file the same size and
 * modification time.
 */
export type FileIdentity = { bytes: number; modifiedNs: string; changedNs: string; inode: string };

/** Reads a published file once from start to end, and hashes it on the way. */
export class SourceFile {
  readonly name: string;
  readonly identity: FileIdentity;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  bytesRead = 0;

  private constructor(name: string, handle: FileHandle, identity: FileIdentity) {
    this.name = name;
    this.#handle = handle;
    this.identity = identity;
  }

  /** Throws UnreadableFile or the I/O error. */
  static async open(folder: string, name: string): Promise<SourceFile> {
    const own = await ownPath(folder, name);
    if (own === undefined) throw new UnreadableFile({ file: name, message: LINK_ISSUE });
    const handle = await open(own);
    try {
      return new SourceFile(name, handle, await identify(handle, name));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async *chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
      if (bytesRead === 0) return;
      const chunk = buffer.subarray(0, bytesRead);
      this.#hash.update(chunk);
      this.bytesRead += bytesRead;
      yield chunk;
    }
  }

  /** Reads what is left. Throws UnreadableFile when the file was changed since it was opened. */
  async finish(): Promise<PublishedFile> {
    for await (const _chunk of this.chunks());
    const now = await identify(this.#handle, this.name);
    if (this.bytesRead !== now.bytes || !isSameFile(now, this.identity)) {
      throw new UnreadableFile({ file: this.name, message: 'was changed while it was read' });
    }
    return { name: this.name, sha256: this.#hash.digest('hex'), bytes: this.bytesRead };
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

async function identify(handle: FileHandle, name: string): Promise<FileIdentity> {
  const stat = await handle.stat({ bigint: true });
  if (!stat.isFile()) throw new UnreadableFile({ file: name, message: 'is not a file' });
  return identityOf(stat);
}

function identityOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): FileIdentity {
  return { bytes: Number(size), modifiedNs: `${mtimeNs}`, changedNs: `${ctimeNs}`, inode: `${ino}` };
}

function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.bytes === b.bytes && a.modifiedNs === b.modifiedNs && a.changedNs === b.changedNs && a.inode === b.inode;
}

/**
 * Remembers what a published folder held when it was last read, so that an unchanged one need not
 * be read again. It is only a shortcut: a lost or broken entry costs one reading.
 */
export type KnownSources = { sha256: string; files: Record<string, FileIdentity> };

const SUBFOLDER = '.sources';

/**
 * Returns the package that the folder is known to hold; undefined when unknown, or when one of its
 * files is another now.
 */
export async function recallSources(storeFolder: string, folder: string): Promise<string | undefined> {
  try {
    const known = JSON.parse(await readFile(await entryPath(storeFolder, folder), 'utf8')) as KnownSources;
    for (const [name, identity] of Object.entries(known.files)) {
      const now = identityOf(await stat(join(folder, name), { bigint: true }));
      if (!isSameFile(now, identity)) return undefined;
    }
    return known.sha256;
  } catch {
    return undefined;
  }
}

export async function rememberSources(storeFolder: string, folder: string, known: KnownSources): Promise<void> {
  const path = await entryPath(storeFolder, folder);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  await mkdir(join(storeFolder, SUBFOLDER), { recursive: true });
  await writeFile(temporary, JSON.stringify(known));
  await rename(temporary, path);
}

async function entryPath(storeFolder: string, folder: string): Promise<string> {
  const name = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex');
  return join(storeFolder, SUBFOLDER, `${name}.json`);
}
