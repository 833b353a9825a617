import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../../src/store/database/database.ts';
import { lockAccount } from '../../support/accountLock.ts';
import { writeFixtureGame } from '../../support/fixtureGame.ts';
import { leaveFor } from '../../support/moveTime.ts';
import { call } from '../../support/rgsCalls.ts';
import {
  type Dev,
  databaseOf,
  postgresPid,
  preparedDataFolder,
  spawnRoundhouse,
  startDev,
  stop,
  succeed,
} from '../../support/roundhouse.ts';
import { newPlayers, type Player, play, playRound } from '../workers/players.ts';

const UNIT = 1_000_000;
const NAMES = ['resting', 'waiting', ...Array.from({ length: 6 }, (_, index) => `player-${index}`)];
const KEY = { 'Idempotency-Key': 'before the kill' };

let dataFolder: string;
let game: Awaited<ReturnType<typeof writeFixtureGame>>;
let dev: Dev;

beforeAll(async () => {
  dataFolder = await preparedDataFolder('killed');
  game = await writeFixtureGame();
  dev = await startDev(dataFolder, [game.folder]);
});
afterAll(() => game.remove());

async function expectBooksBalance(): Promise<void> {
  expect(await succeed(['books-balance', '--data', dataFolder])).toMatch(/^The books balance: \d+ accounts, [1-9]/);
}

it('killed in the middle of plays it starts again, and no bet or payout is lost or doubled', async () => {
  // When it is killed, it leaves its PostgreSQL behind, which ends soon.
  const postgres = await postgresPid(dataFolder);
  const databaseUrl = await databaseOf(dataFolder);
  const node = { url: dev.url };
  const [resting, waiting, ...players] = (await newPlayers(node, databaseUrl, NAMES)) as [Player, Player, ...Player[]];
  const opened = await play(node, resting, KEY);
  let isOver = false;
  const playing = players.map(async (player) => {
    let broken = 0;
    while (!isOver) broken += await playRound(node, player);
    return broken;
  });
  const enough = 10 + randomInt(90);
  const plays = () => players.reduce((sum, player) => sum + player.plays, 0);
  await expect.poll(plays, { interval: 1 }).toBeGreaterThan(enough);
  const lock = await lockAccount(databaseUrl, waiting.name);
  const cutOff = expect(play(node, waiting, KEY)).rejects.toThrow();
  await lock.untilWaiting(1);
  dev.kill('SIGKILL');
  await cutOff;
  expect((await dev.exited).signal).toBe('SIGKILL');
  dev = await startDev(dataFolder, [game.folder]);
  node.url = dev.url;
  await lock.release();
  expect(await postgresPid(dataFolder)).not.toBe(postgres);

  isOver = true;
  const broken = await Promise.all(playing);
  expect(broken.reduce((sum, each) => sum + each)).toBeGreaterThan(0);
  const { sessionID } = resting;
  expect(await call(dev.url, '/wallet/authenticate', { sessionID })).toMatchObject(opened.body);
  expect(await play(node, resting, KEY)).toMatchObject({ status: 200, body: opened.body });
  const repeated = await play(node, waiting, KEY);
  expect(repeated).toMatchObject({ status: 200, body: { balance: { amount: 999 * UNIT } } });
  expect((await play(node, waiting, KEY)).body).toEqual(repeated.body);
  await expectBooksBalance();
});

it('killed while it starts, again and again, it comes up in the end, and completes a round that its player has left', async () => {
  const databaseUrl = await databaseOf(dataFolder);
  const [left] = (await newPlayers(dev, databaseUrl, ['left'])) as [Player];
  await play(dev, left);
  await succeed(['operator', 'set', 'house', '--complete-rounds-after', '24', '--data', dataFolder]);
  const db = openDatabase({ url: databaseUrl, connections: 2 });
  await leaveFor({ db }, left.sessionID, 2);
  await db.$disconnect();
  dev.kill('SIGKILL');
  await dev.exited;
  for (let kill = 0; kill < 2; kill += 1) {
    const starting = spawnRoundhouse(['dev', game.folder, '--port', '0', '--data', dataFolder]);
    // It fails with a new PostgreSQL or just before it.
    await expect
      .poll(() => readFile(path.join(dataFolder, 'running.json'), 'utf8').catch(() => ''))
      .toContain(`"pid":${starting.pid},`);
    starting.kill('SIGKILL');
    await starting.exited;
  }
  dev = await startDev(dataFolder, [game.folder]);
  const { sessionID } = left;
  await expect.poll(async () => (await call(dev.url, '/wallet/authenticate', { sessionID })).round.active).toBe(false);
  await expectBooksBalance();
  await stop(dev);
});
