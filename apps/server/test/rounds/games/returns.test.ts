import path from 'node:path';
import { publishMath } from '@roundhouse/math';
import { beforeAll, expect, it } from 'vitest';
import { loadCatalogue } from '../../../src/rounds/games/loadCatalogue.ts';
import { useDatabase } from '../../support/database.ts';
import { temporaryFolder } from '../../support/roundhouse.ts';

const database = useDatabase();
let root: string;
beforeAll(async () => {
  root = await temporaryFolder('returns');
});

/** Writes a game that pays this in hundredths in half of its rounds: 200 is an RTP of 100 %. */
async function publish(gameID: string, payout: number, { name, cost } = { name: 'base', cost: 1 }): Promise<string> {
  const folder = path.join(root, gameID);
  const books = [0, payout].map((payoutMultiplier, id) => ({ id, payoutMultiplier, events: [id], weight: 1n }));
  await publishMath(folder, [{ name, cost, books }]);
  return folder;
}

async function loadAll(folders: readonly string[], maxRtp: number) {
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const options = { db: database.db, folders, storeFolder: path.join(root, 'store'), warn, maxRtp };
  const loaded = await loadCatalogue(options);
  if (loaded.ok) await loaded.catalogue.close();
  return loaded.ok ? warnings : loaded.refused.flatMap(({ issues }) => issues).join('\n');
}

const load = async (gameID: string, payout: number, maxRtp: number) => loadAll([await publish(gameID, payout)], maxRtp);

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

it('every game that is not right is named, and no game is served', async () => {
  const right = await publish('right', 192);
  const wrong = [
    await publish('tenth', 66, { name: 'base', cost: 0.30000000000000004 }),
    await publish('triple', 660, { name: 'base', cost: 3.3000000000000003 }),
  ];
  expect(await loadAll([wrong[0] as string, right, wrong[1] as string], 1)).toBe(
    [
      `${wrong[0]}: mode BASE costs 0.30000000000000004, probably 0.3: write this in index.json`,
      `${wrong[1]}: mode BASE costs 3.3000000000000003, probably 3.3: write this in index.json`,
    ].join('\n'),
  );
});

it('modes in their own folders get a note, and games in one folder none', async () => {
  const parts = [await publish('parts/base', 192), await publish('parts/bonus', 19_200, { name: 'bonus', cost: 100 })];
  expect(await loadAll(parts, 1)).toEqual([
    `${path.join(root, 'parts')}: base, bonus look like modes of one game: put their files into one folder, and list them in one index.json`,
  ]);
  expect(await loadAll([await publish('games/one', 190), await publish('games/two', 192)], 1)).toEqual([]);
});
