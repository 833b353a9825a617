import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from './bootstrap.mjs';

/** The pages that have the brand, with what their builds and the server write them from. */
const PAGES = [
  'apps/console',
  'apps/operator/lobby',
  'apps/player',
  'apps/verifier',
  'apps/server/src/lab',
  'docs/.vitepress',
];
const PICTURES = ['apps/operator/lobby/fakeOperator.ts', 'apps/operator/lobby/src/games/coverArt.ts'];
/** Black and white are no colours. A picture's hue may come from its name. */
const COLOUR =
  /#(?!(?:000|fff)\b)(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})\b(?!\()|\b(?:rgba?\((?!0 0 0)|hsla?\((?!var)|oklch\().*/gi;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...PAGES], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /[.](css|html|svg|tsx?|mjs)$/.test(file) && !/[.]test[.]/.test(file) && !PICTURES.includes(file));
const text = (file) => readFileSync(path.join(root, file), 'utf8');
const found = (pattern) => files.flatMap((file) => (text(file).match(pattern) ?? []).map((each) => `${file}: ${each}`));

it('finds the files of each page', () => {
  expect(PAGES.filter((page) => !files.some((file) => file.startsWith(page)))).toEqual([]);
});

it('no page has colours of its own', () => {
  expect(found(COLOUR)).toEqual([]);
});

it('no page sets a colour of the brand anew', () => {
  const names = [...text('packages/brand/brand.css').matchAll(/^ {2}(--[\w-]+):/gm)].map(([, name]) => name);
  expect(names).toContain('--ground');
  expect(found(new RegExp(`(?<![\\w-])(${names.join('|')}):`, 'g'))).toEqual([]);
});

it('no page has a logo of its own', () => {
  expect(files.filter((file) => file.endsWith('.svg'))).toEqual([]);
});
