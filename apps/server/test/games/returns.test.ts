import path from 'node:path';
import { publishMath } from '@roundhouse/math';
import { beforeAll, expect, it } from 'vitest';
import { loadCatalogue } from '../../src/games/loadCatalogue.ts';
import { useDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/roundhouse.ts';

const database = useDatabase();
let root: string;
beforeAll(async () => {
  root = await temporaryFolder('returns');
});

/** Loads a game that pays this in hundredths in half of its rounds: 200 is an RTP of 100 %. */
async function load(gameID: string, payout: number, maxRtp: number) {
  const folder = path.join(root, gameID);
  const books = [0, payout].map((payoutMultiplier, id) => ({ id, payoutMultiplier, events: [id], weight: 1n }));
  await publishMath(folder, [{ name: 'base', cost: 1, books }]);
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const options = { db: database.db, folders: [folder], storeFolder: path.join(root, 'store'), warn, maxRtp };
  const loaded = await loadCatalogue(options);
  if (loaded.ok) await loaded.catalogue.close();
  return loaded.ok ? warnings : loaded.issues.join('\n');
}

it('a mode gets a warning unless its RTP is usual', async () => {
  expect(await load('usual', 192, 1)).toEqual([]);
  for (const [gameID, payout, rtp] of [
    ['even', 200, '100.000 %'],
    ['poor', 20, '10.000 %'],
  ] as const) {
    const line = new RegExp(`^Version \\w+ of game ${gameID}, mode base: RTP is ${rtp}, outside 90 to 98 %$`);
    expect(await load(gameID, payout, 1)).toEqual([expect.stringMatching(line)]);
  }
});

it('a mode above the maximum RTP is refused before the game is stored, unless more is allowed', async () => {
  expect(await load('dear', 4298, 1)).toMatch(
    /version \w+ of game dear returns 2149 % in mode base, more than 100 %: --max-rtp \(ROUNDHOUSE_MAX_RTP\) allows more$/,
  );
  expect(await database.db.game.findUnique({ where: { code: 'dear' } })).toBeNull();
  expect(await load('dear', 4298, 21.49)).toEqual([expect.stringContaining('RTP is 2149.000 %')]);
});
