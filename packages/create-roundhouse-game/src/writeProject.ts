import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plan, Tarballs } from './plan.ts';

const TEMPLATES_FOLDER = fileURLToPath(new URL('../templates/', import.meta.url));

/** The files with placeholders such as {{id}}; all others are copied as they are. */
const FILES_WITH_PLACEHOLDERS = ['package.json', 'game.json', 'index.html', 'README.md'];

/** npm leaves files with these names out of a package, so the templates have others. */
const RENAMED = { _gitignore: '.gitignore' };

/** Writes what all games have, then what the template adds to it. */
export async function writeProject(plan: Plan, version: string): Promise<void> {
  const { folder, template, packageName: name, id, title, tarballs } = plan;
  await mkdir(folder, { recursive: true });
  for (const source of ['base', template]) {
    await cp(path.join(TEMPLATES_FOLDER, source), folder, { recursive: true, filter: isOfTemplate });
  }
  for (const [from, to] of Object.entries(RENAMED)) await rename(path.join(folder, from), path.join(folder, to));
  const values: Record<string, string> = { name, id, title, version };
  for (const file of FILES_WITH_PLACEHOLDERS) {
    const target = path.join(folder, file);
    const text = await readFile(target, 'utf8');
    await writeFile(
      target,
      text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => written(file, values[key] ?? '')),
    );
  }
  if (tarballs.size > 0) await linkTarballs(path.join(folder, 'package.json'), tarballs);
}

/** Not what a developer of the templates leaves in them. */
function isOfTemplate(source: string): boolean {
  return !/[\\/](node_modules|dist|publish_files|\.roundhouse|test-results)$/.test(source);
}

function written(file: string, value: string): string {
  if (file.endsWith('.json')) return JSON.stringify(value).slice(1, -1);
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string>> & {
  overrides?: Record<string, string>;
};

/** Overrides too: the packages depend on each other, and the registry may not have them. */
async function linkTarballs(manifestFile: string, tarballs: Tarballs): Promise<void> {
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as Manifest;
  const links = Object.fromEntries(Array.from(tarballs, ([name, file]) => [name, `file:${file}`]));
  for (const group of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(group)) group[name] = links[name] ?? (group[name] as string);
  }
  await writeFile(manifestFile, `${JSON.stringify({ ...manifest, overrides: links }, null, 2)}\n`);
}
