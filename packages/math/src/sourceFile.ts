import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { UnreadableFile } from './issues.ts';
import type { PublishedFile } from './types.ts';

const CHUNK_BYTES = 2 ** 18;

/**
 * What changes when a file does. ctime, because a modification time can be set: an unpacked archive
 * or an image layer may give two versions of a file the same size and modification time.
 */
export type FileIdentity = { bytes: number; modifiedNs: string; changedNs: string; inode: string };

/** A published file being read once from start to end, and hashed on the way. */
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

  static async open(folder: string, name: string): Promise<SourceFile> {
    const handle = await open(join(folder, name));
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

export function identityOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): FileIdentity {
  return { bytes: Number(size), modifiedNs: `${mtimeNs}`, changedNs: `${ctimeNs}`, inode: `${ino}` };
}

export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.bytes === b.bytes && a.modifiedNs === b.modifiedNs && a.changedNs === b.changedNs && a.inode === b.inode;
}
