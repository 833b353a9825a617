// Makes the packages of this workspace into tarballs, as publishing does. A command builds first:
//   node scripts/pack.mjs <folder>           packs all that are published
//   node scripts/pack.mjs <folder> <name …>  packs these
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, fail, install, requireNode, root } from './bootstrap.mjs';

/** Returns the names of the packages that are published. */
export function publishedPackages() {
  return manifests().flatMap(({ name, private: isPrivate }) => (isPrivate ? [] : [name]));
}

/** Packs the named packages, which are built, into the folder. Returns the tarballs by name. */
export function pack(folder, names = publishedPackages()) {
  mkdirSync(folder, { recursive: true });
  const filters = names.flatMap((name) => ['--filter', name]);
  execFileSync('pnpm', ['-r', ...filters, 'pack', '--pack-destination', path.resolve(folder)], {
    cwd: root,
    env: install(),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const versions = new Map(manifests().map(({ name, version }) => [name, version]));
  return new Map(
    names.map((name) => [
      name,
      path.join(folder, `${name.replace('@', '').replace('/', '-')}-${versions.get(name)}.tgz`),
    ]),
  );
}

function manifests() {
  const folders = ['packages', 'apps'].flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => path.join(root, folder, name, 'package.json')),
  );
  return folders.filter(existsSync).map((file) => JSON.parse(readFileSync(file, 'utf8')));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, ...named] = process.argv.slice(2);
  const names = named.length > 0 ? named : publishedPackages();
  requireNode();
  if (folder === undefined || folder.startsWith('-')) fail('Usage: node scripts/pack.mjs <folder> [<name> …]');
  if ((await build(install(), { packages: names })) !== 0) fail('The build failed: see above');
  for (const file of pack(folder, names).values()) console.log(file);
}
