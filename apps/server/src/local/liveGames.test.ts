import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../test/support/roundhouse.ts';
import { createCatalogue, type GameVersion } from '../games/catalogue.ts';
import { takeSnapshot } from '../games/gameSnapshot.ts';
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
/** Expects the next change to be of this kind. */
const expectNext = (kind: LiveChange['kind']) => {
  const before = changes.length;
  return vi.waitFor(() => expect(kinds().slice(before)).toEqual([kind]), { timeout: 20_000, interval: 20 });
};

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
  const isIncomplete = expectNext('incomplete');
  await write({ 'index.json': INDEX.slice(0, 20), 'table.csv': '' });
  await isIncomplete;
  expect(changes.at(-1)).toMatchObject({ why: 'index.json is not JSON', served: { version: '0' } });
  const isStillIncomplete = expectNext('incomplete');
  await write({ 'index.json': INDEX });
  await isStillIncomplete;
  expect(changes.at(-1)).toMatchObject({ why: 'index.json names table.csv, which is not there or is empty' });
  expect(loads).toBe(0);
  const isServed = expectNext('served');
  await write({ 'table.csv': '1,2,0' });
  await isServed;
  expect([loads, changes.at(-1)?.served.version]).toEqual([1, '1']);
});

it('a generator that empties its folder first leads to one load and one new version', async () => {
  const isServed = expectNext('served');
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await write({ 'books.zst': 'other books', 'table.csv': '1,3,0', 'index.json': INDEX });
  await isServed;
  expect([loads, kinds()]).toEqual([1, ['served']]);
});

it('a folder that goes and comes back is served again', async () => {
  const away = path.join(root, 'away');
  const isIncomplete = expectNext('incomplete');
  await rename(path.join(root, 'games'), away);
  await isIncomplete;
  expect(changes.at(-1)).toMatchObject({ why: `the folder ${folder} is not there` });
  const isServed = expectNext('served');
  await rename(away, path.join(root, 'games'));
  await isServed;
  expect(changes.at(-1)?.served.version).toBe('0');
  // The folder is watched as before.
  const isChanged = expectNext('served');
  await write({ 'table.csv': '1,4,0' });
  await isChanged;
});

it('files that are refused leave the last good version, and are not loaded again', async () => {
  isRight = false;
  const isRefused = expectNext('refused');
  await write({ 'table.csv': '1,5,0' });
  await isRefused;
  expect(changes.at(-1)).toMatchObject({ served: { version: '0' }, outcome: { issues: ['wrong'] } });
  isRight = true;
  const isServed = expectNext('served');
  await write({ 'notes.txt': 'not of the game', 'books.zst': 'right books' });
  await isServed;
  expect(loads).toBe(2);
});
