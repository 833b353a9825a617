import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '@roundhouse/service';
import { readElements } from '../ledger/queries/elements.ts';
import { findInstallation, includedFolders, type Place } from './installation.ts';
import { byBytes, hashOfAll, type Sums } from './manifest.ts';

/** Four at a time keep one core at work. Each has a buffer of its own, and no other memory. */
const FILES_AT_ONCE = 4;
const BUFFER_BYTES = 262_144;

export type InstallReport = {
  ok: boolean;
  /** The hashes over all: of the manifest, and of what is installed. */
  expected: string;
  found: string;
  files: number;
  /** Of the database. */
  elements: number;
  bytes: number;
  durationMs: number;
  /** Names, sorted. */
  changed: string[];
  missing: string[];
  extra: string[];
  /** Why something cannot be hashed, by its name. */
  unreadable: Record<string, string>;
};

const DATABASE = 'database';

export function isElement(name: string): boolean {
  return name.startsWith(`${DATABASE}/`);
}

/** Compares what is installed with the manifest's sums. */
export async function verifyInstall(place: Place, expected: Sums): Promise<InstallReport> {
  const startedMs = performance.now();
  const included = includedFolders(expected.keys());
  const { roots, files, issues } = await findInstallation({ ...place, included });
  const elements = [...expected.keys()].some(isElement) ? await tryToReadElements(place) : NO_ELEMENTS;
  // Also what the manifest alone knows: it may be there, and out of reach by another change.
  const all = new Map(files);
  for (const name of expected.keys())
    if (!isElement(name) && !files.has(name) && !issues.has(name)) all.set(name, fileOf(name, roots));
  const hashed = await hashFiles(all);
  const sums = new Map([...hashed.sums, ...elements.sums]);
  const unreadable = new Map([...issues, ...hashed.issues, ...elements.issues]);
  const isUnreadable = (name: string) => unreadable.has(isElement(name) ? DATABASE : name);
  const differs = (name: string) => sums.has(name) && sums.get(name) !== expected.get(name);
  const changed = [...expected.keys()].filter(differs);
  const missing = [...expected.keys()].filter((name) => !sums.has(name) && !isUnreadable(name));
  const extra = [...sums.keys()].filter((name) => !expected.has(name));
  return {
    ok: changed.length + missing.length + extra.length + unreadable.size === 0,
    expected: hashOfAll(expected),
    found: hashOfAll(new Map([...sums, ...[...unreadable.keys()].map((name) => [name, '-'] as const)])),
    files: hashed.sums.size,
    elements: elements.sums.size,
    bytes: hashed.bytes,
    durationMs: Math.round(performance.now() - startedMs),
    changed: changed.sort(byBytes),
    missing: missing.sort(byBytes),
    extra: extra.sort(byBytes),
    unreadable: Object.fromEntries([...unreadable].sort(([left], [right]) => byBytes(left, right))),
  };
}

/**
 * The sums of what is installed, with the elements of the database where the place names one.
 * Throws a StartError that names what no manifest can hold.
 */
export async function sumInstall(place: Place): Promise<{ sums: Sums; bytes: number }> {
  const { files, issues } = await findInstallation(place);
  const { sums, bytes, issues: unreadable } = await hashFiles(files);
  const outside = [...files.keys()].find((name) => name.startsWith('install/../'));
  if (outside !== undefined) throw new StartError(`${outside} lies outside of the installation.`);
  const [first] = [...issues, ...unreadable];
  if (first !== undefined) throw new StartError(`No manifest: ${JSON.stringify(first[0])} is ${first[1]}.`);
  if (place.database === undefined) return { sums, bytes };
  return { sums: new Map([...sums, ...(await readElements(place.database))]), bytes };
}

type Elements = { sums: ReadonlyMap<string, string>; issues: ReadonlyMap<string, string> };
const NO_ELEMENTS: Elements = { sums: new Map(), issues: new Map() };

/** A database that cannot be read is one difference, and not one for each element. */
async function tryToReadElements({ database }: Place): Promise<Elements> {
  if (database === undefined)
    throw new StartError('The manifest covers the database: set DATABASE_URL, or name it with --database.');
  try {
    return { sums: await readElements(database), issues: new Map() };
  } catch (error) {
    return { sums: new Map(), issues: new Map([[DATABASE, (error as Error).message]]) };
  }
}

/** Of a manifest's name. The folder of a root that this installation lacks holds nothing. */
function fileOf(name: string, roots: ReadonlyMap<string, string>): string {
  const [root = '', ...inRoot] = name.split('/');
  const folder = roots.get(root);
  if (folder === undefined) {
    if (root === 'games') throw new StartError('The manifest covers games: name their folder with --games.');
    throw new StartError(`The manifest names ${name}, and there is no root ${root}.`);
  }
  return path.join(folder, ...inRoot);
}

type Hashed = { sums: Map<string, string>; bytes: number; issues: Map<string, string> };

/** A file that has vanished has no sum and no issue. */
async function hashFiles(files: ReadonlyMap<string, string>): Promise<Hashed> {
  const hashed: Hashed = { sums: new Map(), bytes: 0, issues: new Map() };
  // The lanes share the iterator: each takes the next file.
  const next = files[Symbol.iterator]();
  const lane = async () => {
    const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    for (const [name, file] of next) {
      try {
        const { sha256, bytes } = await hashFile(file, buffer);
        hashed.sums.set(name, sha256);
        hashed.bytes += bytes;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code !== 'ENOENT' && code !== 'ENOTDIR') hashed.issues.set(name, `unreadable (${code ?? message})`);
      }
    }
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, lane));
  return hashed;
}

async function hashFile(file: string, buffer: Buffer): Promise<{ sha256: string; bytes: number }> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    const hash = createHash('sha256');
    for (let bytes = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return { sha256: hash.digest('hex'), bytes };
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await handle?.close();
  }
}
