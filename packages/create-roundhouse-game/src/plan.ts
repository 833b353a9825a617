import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { checkGameID, checkTitle, packageNameOf, titleOf } from './names.ts';
import type { Options, TemplateName } from './options.ts';

/** What the program knows before it writes the first file. */
export type Plan = {
  /** The absolute path of a folder that is missing or empty. */
  folder: string;
  packageName: string;
  id: string;
  title: string;
  template: TemplateName;
  tarballs: Tarballs;
};

/**
 * Maps each Roundhouse package to the path of its tarball. If it is empty, the packages come from
 * the registry.
 */
export type Tarballs = ReadonlyMap<string, string>;

export type PlanOutcome = { ok: true; plan: Plan } | { ok: false; reason: string };

export const DEFAULT_FOLDER = 'my-game';
export const DEFAULT_TEMPLATE: TemplateName = 'pixi';

/** Fills in missing options, and refuses what cannot be made. Writes nothing. */
export function planOf(options: Options, workingFolder: string): PlanOutcome {
  const folder = path.resolve(workingFolder, options.folder ?? DEFAULT_FOLDER);
  const reason = folderIssue(folder);
  if (reason !== undefined) return { ok: false, reason };
  const packageName = packageNameOf(path.basename(folder));
  if (!packageName.ok) return packageName;
  const id = checkGameID(options.id ?? packageName.name.slice(0, 64));
  if (!id.ok) return id;
  const title = checkTitle(options.name ?? titleOf(packageName.name));
  if (!title.ok) return title;
  const tarballs =
    options.packages === undefined ? new Map() : tarballsIn(path.resolve(workingFolder, options.packages));
  if (tarballs === undefined) return { ok: false, reason: `${options.packages} holds no tarballs of Roundhouse.` };
  return {
    ok: true,
    plan: {
      folder,
      packageName: packageName.name,
      id: id.name,
      title: title.name,
      template: options.template ?? DEFAULT_TEMPLATE,
      tarballs,
    },
  };
}

export function folderIssue(folder: string): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isDirectory()) return `${folder} is a file. Choose a new folder.`;
  // A new repository counts as an empty folder.
  const names = readdirSync(folder).filter((name) => name !== '.git');
  if (names.length === 0) return undefined;
  return `${folder} exists and is not empty (${names.slice(0, 3).join(', ')}…). Choose a new folder.`;
}

/** File names say which package it is: roundhouse-sdk-1.0.0.tgz is @roundhouse/sdk. */
function tarballsIn(folder: string): Tarballs | undefined {
  const found = new Map<string, string>();
  for (const name of statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []) {
    const match = /^roundhouse(?:-([a-z-]+))?-\d[^/]*\.tgz$/.exec(name);
    if (match === null) continue;
    found.set(match[1] === undefined ? 'roundhouse' : `@roundhouse/${match[1]}`, path.join(folder, name));
  }
  return found.size === 0 ? undefined : found;
}
