// What `docker build` is handed: the folder without what .dockerignore names.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Copies one file or folder of the context to a place, as COPY does. */
export function copyFromContext(context, source, destination) {
  const isIgnored = readIgnoreFile(path.join(context, '.dockerignore'));
  const start = path.join(context, source);
  const copy = (from, to) => {
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const inside = path.join(from, entry.name);
      if (isIgnored(path.relative(context, inside))) continue;
      if (entry.isDirectory()) {
        mkdirSync(path.join(to, entry.name), { recursive: true });
        copy(inside, path.join(to, entry.name));
      } else cpSync(inside, path.join(to, entry.name), { verbatimSymlinks: true });
    }
  };
  if (source === '.') return copy(start, destination);
  if (isIgnored(source)) throw new Error(`${source} is not in the build context: .dockerignore names it`);
  cpSync(start, destination.endsWith('/') ? path.join(destination, path.basename(source)) : destination);
}

/** Copies what a folder holds, links as they are. */
export function copyFolder(source, destination) {
  mkdirSync(destination, { recursive: true });
  const { status, stderr } = spawnSync('cp', ['-RPp', `${source}/.`, destination], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${source} could not be copied: ${stderr}`);
}

/** Whether a path below the context is left out. The last pattern that fits decides, and what fits a folder fits all in it. */
export function readIgnoreFile(file) {
  const patterns = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isException: line.startsWith('!'), expression: expressionOf(line.replace(/^!/, '')) }));
  return (relative) =>
    patterns.reduce(
      (ignored, { isException, expression }) => (expression.test(relative) ? !isException : ignored),
      false,
    );
}

function expressionOf(pattern) {
  if (/[?[\\]/.test(pattern)) throw new Error(`.dockerignore: only * and ** are understood here, not ${pattern}`);
  const parts = pattern.replace(/^\/|\/$/g, '').split(/(\*\*\/|\*)/);
  const source = parts.map((part) => (part === '**/' ? '(?:.*/)?' : part === '*' ? '[^/]*' : literally(part)));
  return new RegExp(`^${source.join('')}(?:/|$)`);
}

function literally(text) {
  return text.replace(/[.+^${}()|]/g, '\\$&');
}
