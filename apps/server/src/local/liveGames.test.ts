import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/roundhouse.ts';
import { createCatalogue, type GameVersion } from '../rounds/games/catalogue.ts';
import { takeSnapshot } from '../rounds/games/gameSnapshot.ts';
import { type LiveChange, watchGames } from './liveGames.ts';

const INDEX = JSON.stringify({ modes: [{ name: 'base', cost: 1, events: 'books.zst', weights: 'table.csv' }] });

let root: string;
let folder: string;
let close: () => Promise<void>;
let loads: number;
let isRight: boolean;
let changes: LiveChange[];

/** The version has no math, since nothing here plays it. */
function gameVersion(version: string): GameVersion {
  const math = { sha256: version, modes: new Map(), reopened: false, close: async () => {} };
  return { gameID: 'live', version, title: 'Live', modes: new Map(), math } as unknown as GameVersion;
}

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
}

const kinds = () => changes.map(({ kind }) => kind);
/** Does the work, expects the next change to be of this kind, and returns it. */
async function next(kind: LiveChange['kind'], work: () => Promise<unknown>): Promise<LiveChange | undefined> {
  const before = changes.length;
  await work();
  await expect.poll(() => kinds().slice(before), { interval: 20 }).toEqual([kind]);
  return changes.at(-1);
}

beforeEach(async () => {
  root = await temporaryFolder('live');
  folder = path.join(root, 'games', 'live');
  await mkdir(folder, { recursive: true });
  await write({ 'index.json': INDEX, 'table.csv': '1,1,0', 'books.zst': 'books' });
  loads = 0;
  isRight = true;
  changes = [];
  const served = gameVersion('0');
  const watch = await watchGames([{ folder, served, snapshot: await takeSnapshot(folder) }], {
    catalogue: createCatalogue([served]),
    load: async () => {
      loads += 1;
      return isRight ? { ok: true, game: gameVersion(String(loads)) } : { ok: false, issues: ['wrong'] };
    },
    onChange: (change) => changes.push(change),
  });
  close = watch.close;
});

afterEach(() => close());

it('files that are not whole are not loaded', async () => {
  const broken = await next('incomplete', () => write({ 'index.json': INDEX.slice(0, 20), 'table.csv': '' }));
  expect(broken).toMatchObject({ why: 'index.json is not JSON', served: { version: '0' } });
  const why = 'index.json names table.csv, which is not there or is empty';
  expect(await next('incomplete', () => write({ 'index.json': INDEX }))).toMatchObject({ why });
  expect(loads).toBe(0);
  expect((await next('served', () => write({ 'table.csv': '1,2,0' })))?.served.version).toBe('1');
  expect(loads).toBe(1);
});

it('a generator that empties its folder first leads to one load and one new version', async () => {
  await next('served', async () => {
    await rm(folder, { recursive: true });
    await mkdir(folder);
    await write({ 'books.zst': 'other books', 'table.csv': '1,3,0', 'index.json': INDEX });
  });
  expect([loads, kinds()]).toEqual([1, ['served']]);
});

it('a folder that goes and comes back is served again', async () => {
  const [games, away] = [path.join(root, 'games'), path.join(root, 'away')];
  const why = `the folder ${folder} is not there`;
  expect(await next('incomplete', () => rename(games, away))).toMatchObject({ why });
  expect((await next('served', () => rename(away, games)))?.served.version).toBe('0');
  // The folder is watched as before.
  await next('served', () => write({ 'table.csv': '1,4,0' }));
});

it('files that are refused leave the last good version, and are not loaded again', async () => {
  isRight = false;
  const refused = await next('refused', () => write({ 'table.csv': '1,5,0' }));
  expect(refused).toMatchObject({ served: { version: '0' }, outcome: { issues: ['wrong'] } });
  isRight = true;
  await next('served', () => write({ 'notes.txt': 'not of the game', 'books.zst': 'right books' }));
  expect(loads).toBe(2);
});
