import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from './bootstrap.mjs';
import { placesOf } from './groups.mjs';
import { LongestFirst } from './longestFirst.mjs';
import { chooseProofs, PROOFS, shortProofs } from './proofList.mjs';
import { readTimes } from './testTimes.mjs';

const NAMES = Object.keys(PROOFS);

it.each([[[]], [['chaoss']], [['toString']]])('npm run proof -- %j prints the list of proofs', (args) => {
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts/proof.mjs'), ...args]);
  expect(status).toBe(1);
  expect([...String(stderr).matchAll(/^ {2}(\S+) +\S/gm)].map(([, name]) => name)).toEqual(NAMES);
});

it('each proof that a file names exists', () => {
  const files = execFileSync('git', ['grep', '-l', 'npm run proof -- '], { cwd: root, encoding: 'utf8' });
  const texts = files
    .trim()
    .split('\n')
    .map((file) => readFileSync(path.join(root, file), 'utf8'));
  const named = texts.flatMap((text) => [...text.matchAll(/npm run proof -- ([a-z][a-z-]*)/g)]);
  expect(NAMES).toEqual(expect.arrayContaining(named.map(([, name]) => name)));
});

/**
 * The files of tests, as Vitest finds them; the templates of a new game have tests for that game.
 */
const FILES = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.test.*'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => !file.includes('/templates/') && existsSync(path.join(root, file)));

it('each file of a folder `proofs` belongs to one proof, and proves folders that exist', () => {
  const proofs = Object.values(PROOFS);
  expect(proofs.flatMap(({ tests = [] }) => tests).sort()).toEqual(FILES.filter((file) => file.includes('/proofs/')));
  const folders = proofs.flatMap(({ proves = [] }) => proves);
  expect(folders.filter((folder) => !existsSync(path.join(root, folder)))).toEqual([]);
});

it('testTimes.json has the seconds of each test file: `npm test -- --write-times` measures them', () => {
  const timed = Object.keys(readTimes())
    .filter((name) => /\.test\.\w+$/.test(name))
    .sort();
  expect(timed).toEqual(FILES.filter((file) => PROOFS.faults.tests[0] !== file && PROOFS.patroni.tests[0] !== file));
});

it('what guards money always runs, and each proof at least every fifth time, also on a slow machine', () => {
  const proofs = shortProofs(readTimes());
  const runs = [0, 1, 2, 3, 4].map((commit) =>
    chooseProofs({ proofs, changed: ['apps/server/src/cells/x.ts'], commit, minutes: 25, factor: 4 }).map(
      ({ name }) => name,
    ),
  );
  for (const run of runs) expect(run).toEqual(expect.arrayContaining(['chaos', 'crash']));
  expect(new Set(runs.flat())).toEqual(new Set(proofs.map(({ name }) => name)));
});

it('proofs of changed folders come first, and none that does not fit into the minutes', () => {
  const proof = (name, more) => ({ name, seconds: 60, proves: [`${name}/`], ...more });
  const proofs = [...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => proof(name)), proof('money', { isOfMoney: true })];
  const chosen = (options) =>
    chooseProofs({ proofs, changed: ['c/x.ts'], commit: 0, factor: 1, ...options }).map(({ name }) => name);
  expect(chosen({ minutes: 100 })).toEqual(['money', 'c', 'a', 'f', 'e', 'd', 'b']);
  expect(chosen({ minutes: 4 })).toEqual(['money', 'c', 'a', 'f']);
  expect(chosen({ minutes: 8, factor: 2 })).toEqual(['money', 'c', 'a', 'f']);
  expect(chosen({ minutes: 0 })).toEqual(['money']);
});

it('projects run one after the other, the longest first, and so do the files of each', async () => {
  const [long, short] = Object.entries(readTimes())
    .filter(([name]) => name.startsWith('apps/server/test/rounds/play/'))
    .sort(([, one], [, other]) => other - one)
    .map(([name]) => ({ moduleId: path.join(root, name), project: { name: 'server' } }))
    .filter((_, place, { length }) => place === 0 || place === length - 1);
  const small = { moduleId: path.join(root, 'packages/contract/src/money.test.ts'), project: { name: 'contract' } };
  const sequencer = new LongestFirst();
  expect(await sequencer.sort([small, short, long])).toEqual([long, short, small]);
});

it('a word means a wing of the server, a package, an app, or a part of a path', () => {
  expect(placesOf('staff', [])).toEqual(['apps/server/src/staff/', 'apps/server/test/staff/']);
  expect(placesOf('math', ['packages/math'])).toEqual(['packages/math/']);
  expect(placesOf('http/play', ['packages/math'])).toEqual(['http/play']);
});
