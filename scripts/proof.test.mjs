import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from './bootstrap.mjs';

it.each([[[]], [['chaoss']], [['toString']]])('npm run proof -- %j prints the list of proofs', (args) => {
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts/proof.mjs'), ...args]);
  expect(status).toBe(1);
  const names = [...String(stderr).matchAll(/^ {2}(\S+) +\S/gm)].map(([, name]) => name);
  expect(names).toEqual(
    expect.arrayContaining(['chaos', 'failover', 'faults', 'patroni', 'fuzz', 'soak', 'rng-battery']),
  );
});
