import path from 'node:path';
import { StartError } from '@roundhouse/service';
import { readElements } from '../../store/database/elements.ts';
import { explain } from '../../store/database/explain.ts';
import { CHANGED_MEANWHILE, type Hashed, hashFiles } from './hashFiles.ts';
import { findInstallation, type Installation, includedFolders, type Place } from './installation.ts';
import { byBytes, hashOfAll, type Sums } from './manifest.ts';

export type InstallReport = {
  ok: boolean;
  /** The hash over all is of the manifest in `expected`, of the installation in `found`. */
  expected: string;
  found: string;
  files: number;
  elements: number;
  bytes: number;
  durationMs: number;
  /** Names are sorted. */
  changed: string[];
  missing: string[];
  extra: string[];
  /** Says why something cannot be hashed, by its name. */
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
  const found = await findInstallation({ ...place, included });
  const { roots, files } = found;
  const elements = [...expected.keys()].some(isElement) ? await tryToReadElements(place) : NO_ELEMENTS;
  // A file that only the manifest names may exist, and be out of reach by another change.
  const all = new Map(files);
  for (const name of expected.keys())
    if (!isElement(name) && !files.has(name) && !found.issues.has(name)) all.set(name, fileOf(name, roots));
  const hashed = await hashFound({ ...found, files: all }, { ...place, included });
  const sums = new Map([...hashed.sums, ...elements.sums]);
  const unreadable = new Map([...hashed.issues, ...elements.issues]);
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
 * Returns the sums of what is installed, with the elements of the database when the place names
 * one. Throws a StartError that names what no manifest can hold.
 */
export async function sumInstall(place: Place): Promise<{ sums: Sums; bytes: number }> {
  const found = await findInstallation(place);
  const { sums, bytes, issues } = await hashFound(found, place);
  const outside = [...found.files.keys()].find((name) => name.startsWith('install/../'));
  if (outside !== undefined) throw new StartError(`${outside} lies outside of the installation.`);
  for (const name of found.files.keys()) if (!sums.has(name) && !issues.has(name)) issues.set(name, CHANGED_MEANWHILE);
  const [first] = issues;
  if (first !== undefined) throw new StartError(`No manifest: ${JSON.stringify(first[0])} is ${first[1]}.`);
  if (place.database === undefined) return { sums, bytes };
  return { sums: new Map([...sums, ...(await readElements(place.database))]), bytes };
}

/**
 * Hashes the files, and looks again: a new file, or a link that now leads elsewhere, is an issue.
 * So the report is true for the moment after the last file was read.
 */
async function hashFound({ files, issues }: Installation, place: Place): Promise<Hashed> {
  const hashed = await hashFiles(files);
  const after = await findInstallation(place);
  const come = [...after.files.keys()].filter((name) => !files.has(name));
  hashed.issues = new Map([
    ...issues,
    ...hashed.issues,
    ...come.map((name) => [name, CHANGED_MEANWHILE] as const),
    ...after.issues,
  ]);
  for (const name of hashed.issues.keys()) hashed.sums.delete(name);
  return hashed;
}

type Elements = { sums: ReadonlyMap<string, string>; issues: ReadonlyMap<string, string> };
const NO_ELEMENTS: Elements = { sums: new Map(), issues: new Map() };

/** A database that cannot be read is one difference, not one for each element. */
async function tryToReadElements({ database }: Place): Promise<Elements> {
  if (database === undefined)
    throw new StartError('The manifest covers the database: set DATABASE_URL, or name it with --database.');
  try {
    return { sums: await readElements(database), issues: new Map() };
  } catch (error) {
    return { sums: new Map(), issues: new Map([[DATABASE, explain(error)]]) };
  }
}

/** Finds the file of a manifest's name. A root that this installation lacks holds no files. */
function fileOf(name: string, roots: ReadonlyMap<string, string>): string {
  const [root = '', ...inRoot] = name.split('/');
  const folder = roots.get(root);
  if (folder === undefined) {
    if (root === 'games') throw new StartError('The manifest covers games: name their folder with --games.');
    throw new StartError(`The manifest names ${name}, and there is no root ${root}.`);
  }
  return path.join(folder, ...inRoot);
}
