import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const DIST = path.join(import.meta.dirname, '../dist');
const MOST_BYTES = 250_000;
/** The first pages: the sign-in, and the page after it. */
const FIRST = ['index.html', 'src/pages/sign-in/SignInPage.tsx', 'src/pages/overview/OverviewPage.tsx'];

type Chunk = { file: string; imports?: string[]; css?: string[]; assets?: string[] };

const manifest = JSON.parse(readFileSync(path.join(DIST, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

/** Returns the files that a chunk needs, including itself. */
function filesOf(key: string, files = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`the build has no ${key}`);
  if (files.has(chunk.file)) return files;
  for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file);
  for (const each of chunk.imports ?? []) filesOf(each, files);
  return files;
}

it('loads sign-in and overview with at most 250 KB, gzipped', () => {
  const files = new Set(FIRST.flatMap((key) => [...filesOf(key)]).concat('index.html'));
  const sizes = [...files].map((file) => [file, gzipSync(readFileSync(path.join(DIST, file))).length] as const);
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  const list = sizes.map(([file, bytes]) => `${String(bytes).padStart(8)} ${file}`).join('\n');
  expect(total, `first load of ${total} bytes:\n${list}`).toBeLessThanOrEqual(MOST_BYTES);
});

it('has no script in the page, and no style without a nonce', () => {
  const page = readFileSync(path.join(DIST, 'index.html'), 'utf8');
  expect(page.match(/<script(?![^>]*\ssrc=)[^>]*>/g)).toBeNull();
  expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/);
  expect(page).toContain('<meta name="csp-nonce" content="__CSP_NONCE__">');
});
