import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

/** Four at a time keep one core busy. Each has one buffer and no other memory. */
const FILES_AT_ONCE = 4;
const BUFFER_BYTES = 262_144;
/**
 * Without it, opening a pipe instead of a file waits for a writer for ever. Windows has no such
 * flag.
 */
const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export const CHANGED_MEANWHILE = 'changed during the check';

export type Hashed = {
  sums: Map<string, string>;
  bytes: number;
  /** Says why a file has no sum, by its name. */
  issues: Map<string, string>;
};

/** Any change of a file changes one of these; a program cannot set the time of a change (ctime). */
type Identity = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

/**
 * Returns sums that are true for the moment after the last file was read. A file that was written
 * or replaced meanwhile, and has another content since, has an issue. One that has vanished has no
 * sum and no issue.
 */
export async function hashFiles(files: ReadonlyMap<string, string>): Promise<Hashed> {
  const hashed: Hashed = { sums: new Map(), bytes: 0, issues: new Map() };
  const identities = new Map<string, Identity>();
  const inLanes = async (work: (name: string, file: string, buffer: Buffer) => Promise<void>) => {
    // The lanes share the iterator: each takes the next file.
    const next = files[Symbol.iterator]();
    const lane = async () => {
      const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
      for (const [name, file] of next) {
        try {
          await work(name, file, buffer);
        } catch (error) {
          hashed.sums.delete(name);
          const { code, message } = error as NodeJS.ErrnoException;
          if (code !== 'ENOENT' && code !== 'ENOTDIR') hashed.issues.set(name, code ? `unreadable (${code})` : message);
        }
      }
    };
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, lane));
  };
  await inLanes(async (name, file, buffer) => {
    const { sha256, bytes, identity } = await hashFile(file, buffer);
    hashed.sums.set(name, sha256);
    hashed.bytes += bytes;
    identities.set(name, identity);
  });
  await inLanes(async (name, file, buffer) => {
    const identity = identities.get(name);
    if (identity === undefined || (await isStill(file, identity))) return;
    // A new link to a file, as pnpm makes them, changes its ctime and not its content.
    const again = await hashFile(file, buffer);
    const isSame = again.sha256 === hashed.sums.get(name) && (await isStill(file, again.identity));
    if (!isSame) throw new Error(CHANGED_MEANWHILE);
  });
  return hashed;
}

async function hashFile(file: string, buffer: Buffer): Promise<{ sha256: string; bytes: number; identity: Identity }> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, READ_AT_ONCE);
    const identity = await handle.stat({ bigint: true });
    if (!identity.isFile()) throw new Error('neither a file nor a folder');
    const hash = createHash('sha256');
    for (let bytes = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return { sha256: hash.digest('hex'), bytes, identity };
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
      // A file that grows as fast as it is read has no end.
      if (bytes > identity.size) throw new Error(CHANGED_MEANWHILE);
    }
  } finally {
    await handle?.close();
  }
}

async function isStill(file: string, before: Identity): Promise<boolean> {
  const now = await stat(file, { bigint: true });
  return (['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every((field) => before[field] === now[field]);
}
