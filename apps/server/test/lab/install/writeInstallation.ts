import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Place } from '../../../src/lab/install/installation.ts';
import { temporaryFolder } from '../../support/roundhouse.ts';

export type Layout = 'npm' | 'pnpm';
export type Written = { home: string; place: Place };

/** Says where each package is, by layout. `beside` is a second version of a package. */
const PACKAGES = {
  npm: {
    roundhouse: 'node_modules/roundhouse',
    express: 'node_modules/express',
    qs: 'node_modules/qs',
    beside: 'node_modules/express/node_modules/qs',
  },
  pnpm: {
    roundhouse: 'node_modules/.pnpm/roundhouse@1.0.0/node_modules/roundhouse',
    express: 'node_modules/.pnpm/express@5.0.0/node_modules/express',
    qs: 'node_modules/.pnpm/qs@1.0.0/node_modules/qs',
    beside: 'node_modules/.pnpm/qs@2.0.0/node_modules/qs',
  },
} as const;

/** Writes a small installation with two games, in a new folder: `install`, `node`, `games`. */
export async function writeInstallation(layout: Layout): Promise<Written> {
  const home = await temporaryFolder('install');
  const at = PACKAGES[layout];
  const folderOf = (name: keyof typeof at) => `install/${at[name]}`;
  const files: Record<string, string> = {
    [`${folderOf('roundhouse')}/package.json`]: JSON.stringify({
      name: 'roundhouse',
      files: ['dist'],
      dependencies: { express: '5', qs: '1' },
      optionalDependencies: { 'not-installed': '1' },
      peerDependencies: { vite: '6' },
    }),
    [`${folderOf('roundhouse')}/dist/main.js`]: 'import "express";',
    [`${folderOf('roundhouse')}/bin/roundhouse.js`]: 'import "../dist/main.js";',
    [`${folderOf('express')}/package.json`]: JSON.stringify({ name: 'express', dependencies: { qs: '2' } }),
    [`${folderOf('express')}/index.js`]: 'require("qs");',
    [`${folderOf('express')}/lib/a file with blanks.js`]: '// blanks',
    [`${folderOf('qs')}/package.json`]: JSON.stringify({ name: 'qs', version: '1.0.0' }),
    [`${folderOf('qs')}/index.js`]: '// 1.0.0',
    [`${folderOf('beside')}/package.json`]: JSON.stringify({ name: 'qs', version: '2.0.0' }),
    [`${folderOf('beside')}/index.js`]: '// 2.0.0',
    'node/node': 'the program',
    'games/first/game.json': '{}',
    'games/first/math/index.json': '{}',
    'games/first/math/books_base.jsonl.zst': 'books',
    'games/first/frontend/index.html': '<!doctype html>',
    'games/first/frontend/assets/Ünïcode.js': '1;',
    'games/second/1.0.0/game.json': '{}',
    'games/second/1.0.0/math/index.json': '{}',
    // Nothing serves or checks this file.
    'games/first/notes.txt': 'a note',
  };
  for (const [name, text] of Object.entries(files)) await write(path.join(home, name), text);
  if (layout === 'pnpm') {
    const link = (from: string, to: keyof typeof at) => linkTo(path.join(home, 'install', from), folderOf(to), home);
    await link('node_modules/roundhouse', 'roundhouse');
    await link('node_modules/.pnpm/roundhouse@1.0.0/node_modules/express', 'express');
    await link('node_modules/.pnpm/roundhouse@1.0.0/node_modules/qs', 'qs');
    await link('node_modules/.pnpm/express@5.0.0/node_modules/qs', 'beside');
  }
  return { home, place: placeIn(home, 'install/node_modules/roundhouse') };
}

export function placeIn(home: string, packageFolder: string): Place {
  return {
    packageFolder: path.join(home, packageFolder),
    nodeFile: path.join(home, 'node/node'),
    gamesFolder: path.join(home, 'games'),
  };
}

export async function write(file: string, text: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Makes a relative link, so that a copy of the installation does not depend on the original. */
async function linkTo(link: string, folder: string, home: string): Promise<void> {
  await mkdir(path.dirname(link), { recursive: true });
  await symlink(path.relative(path.dirname(link), path.join(home, folder)), link);
}

const SERVER = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Installs the built server in its own folder, whose package.json names no dependencies: a check of
 * it takes a tenth of that of all 7,000 files. Returns its command.
 */
export async function installServerAlone(): Promise<string> {
  const home = await temporaryFolder('alone');
  for (const name of ['bin', 'dist', 'pages', 'prisma'])
    await cp(path.join(SERVER, name), path.join(home, name), { recursive: true });
  const { name, version, type, files } = JSON.parse(await readFile(path.join(SERVER, 'package.json'), 'utf8'));
  await write(path.join(home, 'package.json'), JSON.stringify({ name, version, type, files }));
  await symlink(path.join(SERVER, 'node_modules'), path.join(home, 'node_modules'));
  return path.join(home, 'bin', 'roundhouse.js');
}
