import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { publishMath } from '@roundhouse/math';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadCatalogue } from '../../src/games/loadCatalogue.ts';
import { type Database, openDatabase } from '../../src/ledger/database.ts';
import { createTestDatabase } from '../support/database.ts';

let root: string;
let db: Database;

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-returns-'));
  db = openDatabase({ url: (await createTestDatabase()).url });
});
afterAll(async () => {
  await db.$disconnect();
  await rm(root, { recursive: true, force: true });
});

/** Loads a game that pays this in hundredths in half of its rounds: 200 is an RTP of 100 %. */
async function load(gameID: string, payout: number, maxRtp: number) {
  const folder = path.join(root, gameID);
  const books = [0, payout].map((payoutMultiplier, id) => ({ id, payoutMultiplier, events: [id], weight: 1n }));
  await publishMath(folder, [{ name: 'base', cost: 1, books }]);
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const loaded = await loadCatalogue({ db, folders: [folder], storeFolder: path.join(root, 'store'), warn, maxRtp });
  if (loaded.ok) await loaded.catalogue.close();
  return loaded.ok ? warnings : loaded.issues.join('\n');
}

it('a mode with a usual RTP gets no warning', async () => {
  expect(await load('usual', 192, 1)).toEqual([]);
});

it.each([
  ['exactly 100 %', 200, '100.000 %'],
  ['far too little', 20, '10.000 %'],
])('a mode with an RTP of %s gets a warning', async (name, payout, rtp) => {
  const gameID = name.replaceAll(/\W/g, '');
  const line = new RegExp(`^Version \\w+ of game ${gameID}, mode base: RTP is ${rtp}, outside 90 to 98 %$`);
  expect(await load(gameID, payout, 1)).toEqual([expect.stringMatching(line)]);
});

it('a mode above the maximum RTP is refused before the game is stored, unless more is allowed', async () => {
  expect(await load('dear', 4298, 1)).toMatch(
    /version \w+ of game dear returns 2149 % in mode base, more than 100 %: --max-rtp \(ROUNDHOUSE_MAX_RTP\) allows more$/,
  );
  expect(await db.game.findUnique({ where: { code: 'dear' } })).toBeNull();
  expect(await load('dear', 4298, 21.49)).toEqual([expect.stringContaining('RTP is 2149.000 %')]);
});
