import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from './bootstrap.mjs';

const PROOFS = [
  'chaos',
  'failover',
  'faults',
  'patroni',
  'fair',
  'race',
  'fuzz',
  'alerts',
  'cells',
  'cells-away',
  'cells-launches',
  'cells-move',
  'cells-bench',
  'soak',
  'rng-battery',
  'newgame',
  'measure',
  'bench',
];

it.each([[[]], [['chaoss']], [['toString']]])('npm run proof -- %j prints the list of proofs', (args) => {
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts/proof.mjs'), ...args]);
  expect(status).toBe(1);
  expect([...String(stderr).matchAll(/^ {2}(\S+) +\S/gm)].map(([, name]) => name)).toEqual(PROOFS);
});

it('each proof that a file names exists', () => {
  const files = execFileSync('git', ['grep', '-l', 'npm run proof -- '], { cwd: root, encoding: 'utf8' });
  const texts = files
    .trim()
    .split('\n')
    .map((file) => readFileSync(path.join(root, file), 'utf8'));
  const named = texts.flatMap((text) => [...text.matchAll(/npm run proof -- ([a-z][a-z-]*)/g)]);
  expect(PROOFS).toEqual(expect.arrayContaining(named.map(([, name]) => name)));
});
