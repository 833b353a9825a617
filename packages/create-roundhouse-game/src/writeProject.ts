import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TemplateName } from './options.ts';
import type { Plan, Tarballs } from './plan.ts';

const TEMPLATES_FOLDER = fileURLToPath(new URL('../templates/', import.meta.url));

/**
 * The folders of each template are copied over each other in this order. `base` is common to all
 * games, `lines` is the math of reels and lines, `screen` the common front end of the games on
 * PixiJS.
 */
const LAYERS: Record<TemplateName, readonly string[]> = {
  pixi: ['base', 'lines', 'screen', 'pixi'],
  clusters: ['base', 'screen', 'clusters'],
  vanilla: ['base', 'lines', 'vanilla'],
};

/** These files have placeholders such as {{id}}; all others are copied as they are. */
const FILES_WITH_PLACEHOLDERS = ['package.json', 'game.json', 'index.html', 'README.md', 'public/tile.svg'];
/** A letter of the title on the tile has about this width, of 140 units of height. */
const CAPTION_LETTER = 70;

/** npm leaves files with these names out of a package, so the templates use other names. */
const RENAMED = { _gitignore: '.gitignore' };

/** Writes the layers of the template, one over the other. */
export async function writeProject(plan: Plan, version: string): Promise<void> {
  const { folder, template, packageName: name, id, title, tarballs } = plan;
  await mkdir(folder, { recursive: true });
  for (const layer of LAYERS[template]) {
    await cp(path.join(TEMPLATES_FOLDER, layer), folder, { recursive: true, filter: isToBeCopied });
  }
  for (const [from, to] of Object.entries(RENAMED)) await rename(path.join(folder, from), path.join(folder, to));
  const caption = title.toUpperCase();
  const captionWidth = String(CAPTION_LETTER * [...caption].length);
  const values: Record<string, string> = { name, id, title, version, caption, captionWidth };
  for (const file of FILES_WITH_PLACEHOLDERS) {
    const target = path.join(folder, file);
    if (!existsSync(target)) continue;
    const text = await readFile(target, 'utf8');
    await writeFile(
      target,
      text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => written(file, values[key] ?? '')),
    );
  }
  if (tarballs.size > 0) await linkTarballs(path.join(folder, 'package.json'), tarballs);
}

/**
 * Leftover files of template development are not copied. A JSON file of an earlier layer is not
 * replaced: the later layer adds to it.
 */
async function isToBeCopied(source: string, target: string): Promise<boolean> {
  if (/[\\/](node_modules|dist|publish_files|\.roundhouse|test-results)$/.test(source)) return false;
  if (!target.endsWith('.json') || !existsSync(target)) return true;
  await writeJson(target, merge(await readJson(target), await readJson(source)));
  return false;
}

type Json = { [key: string]: unknown };

function merge(base: Json, addition: Json): Json {
  const merged = { ...base };
  for (const [key, value] of Object.entries(addition)) {
    const known = merged[key];
    merged[key] = isObject(known) && isObject(value) ? merge(known, value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function readJson(file: string): Promise<Json> {
  return JSON.parse(await readFile(file, 'utf8')) as Json;
}

function writeJson(file: string, value: unknown): Promise<void> {
  return writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
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
  const manifest = (await readJson(manifestFile)) as Manifest;
  const links = Object.fromEntries(Array.from(tarballs, ([name, file]) => [name, `file:${file}`]));
  for (const group of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(group)) group[name] = links[name] ?? (group[name] as string);
  }
  await writeJson(manifestFile, { ...manifest, overrides: links });
}
