import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { MathMode, PublishedFile } from '@roundhouse/math';
import type { GameFolder } from '../../rounds/games/locateGame.ts';

/** A server that compresses texts by gzip sends fewer bytes than are stored. */
type Size = { bytes: number; sentBytes: number };

export type SheetFiles = {
  math: PublishedFile[];
  /** It is empty without a front end. */
  frontend: PublishedFile[];
  /** The page loads this before a script runs; undefined without a front end. */
  firstLoad: (Size & { files: number; elsewhere: string[] }) | undefined;
  gameFile: PublishedFile | undefined;
};

const PAGE = 'index.html';
/** Pictures, fonts and sounds are compressed already. */
const COMPRESSED = /\.(html?|m?js|css|svg|json|txt|xml|wasm|webmanifest)$/;

/** Reads the files of a game with sizes and hashes. Names are paths below the game's folder. */
export async function readSheetFiles(found: GameFolder, math: PackageFiles): Promise<SheetFiles> {
  const { mathFolder, frontendFolder, gameFile } = found;
  const modes = [...math.modes.values()].flatMap(({ files }) => [files.table, files.books]);
  const index = publishedFile('index.json', await readFile(path.join(mathFolder, 'index.json')));
  const contents = frontendFolder === undefined ? new Map<string, Buffer>() : await readAll(frontendFolder);
  return {
    math: [index, ...modes],
    frontend: [...contents].map(([name, content]) => publishedFile(name, content)),
    firstLoad: contents.has(PAGE) ? firstLoadOf(contents) : undefined,
    gameFile: gameFile === undefined ? undefined : publishedFile(path.basename(gameFile), await readFile(gameFile)),
  };
}

type PackageFiles = { modes: ReadonlyMap<string, Pick<MathMode, 'files'>> };

function publishedFile(name: string, content: Buffer): PublishedFile {
  return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

async function readAll(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const contents = new Map<string, Buffer>();
  for (const file of files.sort()) {
    contents.set(path.relative(folder, file).replaceAll(path.sep, '/'), await readFile(file));
  }
  return contents;
}

/** It finds `src` of scripts and pictures, and `href` of links that a browser loads. */
const TAGS = /<(?:script|img)\b[^>]*?\ssrc="([^"]+)"|<link\b[^>]*>/g;
const LOADED_LINK = /\srel="(?:stylesheet|modulepreload|preload|icon)"/;
/** It finds static imports of a module; an import() comes later, when it is called. */
const STATIC_IMPORT = /\b(?:import|from)\s*["'](\.{1,2}\/[^"']+)["']/g;

/**
 * Adds up the page, what its tags name, and the modules that these import. Only a browser shows
 * what scripts load later and what style sheets name.
 */
function firstLoadOf(contents: ReadonlyMap<string, Buffer>): SheetFiles['firstLoad'] {
  const loaded = new Map<string, Buffer>();
  const elsewhere: string[] = [];
  const load = (address: string, base: string) => {
    if (/^data:/.test(address)) return;
    const url = new URL(address, `http://game/${base}`);
    if (url.host !== 'game') {
      elsewhere.push(address);
      return;
    }
    const name = decodeURIComponent(url.pathname.slice(1));
    const content = contents.get(name);
    if (content === undefined || loaded.has(name)) return;
    loaded.set(name, content);
    const text = /\.m?js$/.test(name) ? content.toString() : '';
    for (const [, module = ''] of text.matchAll(STATIC_IMPORT)) load(module, name);
  };
  load(PAGE, '');
  for (const [tag, source] of (contents.get(PAGE) as Buffer).toString().matchAll(TAGS)) {
    const address = source ?? (LOADED_LINK.test(tag) ? /\shref="([^"]+)"/.exec(tag)?.[1] : undefined);
    if (address !== undefined && URL.canParse(address, 'http://game/')) load(address, '');
  }
  const sizes = [...loaded].map(([name, content]) => sizeOf(name, content));
  const sum = (value: (size: Size) => number) => sizes.reduce((total, size) => total + value(size), 0);
  return {
    files: loaded.size,
    bytes: sum(({ bytes }) => bytes),
    sentBytes: sum(({ sentBytes }) => sentBytes),
    elsewhere,
  };
}

function sizeOf(name: string, content: Buffer): Size {
  return { bytes: content.length, sentBytes: COMPRESSED.test(name) ? gzipSync(content).length : content.length };
}
