import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { PACKAGE } from './support/command.ts';

/** The build has made it of the template `clusters`, the larger one. */
const FRONTEND = path.join(PACKAGE, '..', '..', 'games', 'clusters', 'dist', 'frontend');
const MOST_BYTES = 225_000;

it('a front end has at most 225 KB, gzipped, PixiJS included', () => {
  const files = readdirSync(FRONTEND, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = files.map(({ parentPath, name }) => {
    return { name, bytes: gzipSync(readFileSync(path.join(parentPath, name))).length };
  });
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const list = sizes.map(({ name, bytes }) => `${String(bytes).padStart(8)} ${name}`).join('\n');
  expect(total, `a front end of ${total} bytes:\n${list}`).toBeLessThanOrEqual(MOST_BYTES);
});
