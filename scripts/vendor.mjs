// The last step of an app's build runs this in the folder of the app: node ../../scripts/vendor.mjs
// service … It copies what the app's package needs, and no registry has alone, to dist/vendor:
// workspace packages that are not published, and the files of Prisma's client for PostgreSQL (5 MB
// of 71). It points the imports there.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from './bootstrap.mjs';

const PRISMA_RUNTIME = /["']@prisma\/client\/runtime\/([\w.-]+)["']/g;
const PRISMA_UTILITIES = /["']@prisma\/client-runtime-utils["']/g;

const packages = process.argv.slice(2);
const UNPUBLISHED = new RegExp(`["']@roundhouse/(${packages.join('|')})["']`, 'g');
const dist = path.resolve('dist');
const vendor = path.join(dist, 'vendor');

rmSync(vendor, { recursive: true, force: true });
for (const name of packages) copyPackage(name);
copyPrisma();
for (const file of scriptsBelow(dist)) pointToVendor(file);

function copyPackage(name) {
  const from = path.join(root, 'packages', name, 'dist');
  for (const file of scriptsBelow(from)) copyScript(file, path.join(vendor, name, path.relative(from, file)));
}

/** Copies what the generated client imports, and the one package that this imports in turn. */
function copyPrisma() {
  const client = path.dirname(createRequire(path.resolve('package.json')).resolve('@prisma/client/package.json'));
  const utilities = createRequire(path.join(client, 'package.json')).resolve('@prisma/client-runtime-utils');
  const generated = scriptsBelow(dist)
    .filter((file) => file.includes(`${path.sep}generated${path.sep}`))
    .map(read)
    .join('\n');
  for (const file of new Set([...generated.matchAll(PRISMA_RUNTIME)].map(runtimeFile))) {
    copyScript(path.join(client, 'runtime', file), path.join(vendor, 'prisma', file));
  }
  copyScript(utilities.replace(/[.]js$/, '.mjs'), path.join(vendor, 'prisma', 'client-runtime-utils.mjs'));
  // With the name LICENSE it would replace ours.
  cpSync(path.join(client, 'LICENSE'), path.join(vendor, 'prisma', 'APACHE-2.0.txt'));
}

function pointToVendor(file) {
  const to = (target) => {
    const relative = path.relative(path.dirname(file), path.join(vendor, target)).replaceAll(path.sep, '/');
    return JSON.stringify(relative.startsWith('.') ? relative : `./${relative}`);
  };
  const text = read(file);
  const pointed = text
    .replace(UNPUBLISHED, (_, name) => to(`${name}/index.js`))
    .replace(PRISMA_RUNTIME, (...match) => to(`prisma/${runtimeFile(match)}`))
    .replace(PRISMA_UTILITIES, () => to('prisma/client-runtime-utils.mjs'));
  if (pointed !== text) writeFileSync(file, pointed);
}

function runtimeFile([, name]) {
  return name.endsWith('.mjs') ? name : `${name}.mjs`;
}

/** Leaves out the address of a source map, which is not copied. */
function copyScript(from, to) {
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(to, read(from).replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'));
}

function scriptsBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const scripts = entries.filter((entry) => entry.isFile() && /[.]m?js$/.test(entry.name));
  return scripts.map((entry) => path.join(entry.parentPath, entry.name));
}

function read(file) {
  return readFileSync(file, 'utf8');
}
