import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../bootstrap.mjs';

function neededByOurPackages() {
  const folder = path.join(root, 'packages');
  return readdirSync(folder).flatMap((name) => {
    const { dependencies = {} } = JSON.parse(readFileSync(path.join(folder, name, 'package.json')));
    return Object.keys(dependencies);
  });
}

/** Packages in an installed tree that only development needs: tools of the workspace and of one of its packages. */
export function developmentPackagesIn(app, workspace) {
  const manifests = ['.', workspace].map((folder) => JSON.parse(readFileSync(path.join(root, folder, 'package.json'))));
  const named = manifests.flatMap(({ devDependencies = {} }) => Object.keys(devDependencies));
  // Types come along with some packages as ordinary dependencies; their files are gone.
  // And what the bench compares with may be what one of our own packages stands on.
  const needed = new Set(neededByOurPackages());
  const unwanted = new Set(named.filter((name) => !name.startsWith('@types/') && !needed.has(name)));
  for (const known of ['prisma', 'turbo', 'typescript', 'vitest']) {
    if (!unwanted.has(known))
      throw new Error(`${known} is no development dependency any more: what shall be looked for?`);
  }
  const store = path.join(app, 'node_modules', '.pnpm');
  const installed = readdirSync(store).flatMap((entry) => packagesIn(path.join(store, entry, 'node_modules')));
  const names = new Set([...packagesIn(path.join(app, 'node_modules')), ...installed]);
  return [...names].filter((name) => unwanted.has(name));
}

function packagesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) =>
    name.startsWith('@') ? readdirSync(path.join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
  );
}

export function bytesOf(entry) {
  const stat = lstatSync(entry);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(entry).reduce((sum, name) => sum + bytesOf(path.join(entry, name)), 0);
}
