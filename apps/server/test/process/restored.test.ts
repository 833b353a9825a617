import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { openClient } from '@roundhouse/service';
import { beforeAll, expect, test } from 'vitest';
import { createCopy, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { writeFixtureGame } from '../support/fixtureGame.ts';
import { call, sessionOf } from '../support/rgsCalls.ts';
import { expectOneLine, runRoundhouse, startServe, stop, succeed, temporaryFolder } from '../support/roundhouse.ts';

const UNIT = 1_000_000;
const SKIPPED = 1_000_000_000;

let home: string;
let database: TestDatabase;
let lastRoundID: number;

beforeAll(async () => {
  home = await temporaryFolder('restored');
  const game = await writeFixtureGame();
  await cp(game.folder, path.join(home, 'games', 'fixture'), { recursive: true });
  await game.remove();
  database = await createTestDatabase();
  const node = await startServe(['--workers', '1'], { env: environment(database) });
  for (let round = 1; round <= 3; round += 1) lastRoundID = await playRound(node.url, database);
  await stop(node);
});

function environment({ url }: TestDatabase, dataFolder = 'data') {
  return {
    DATABASE_URL: url,
    ROUNDHOUSE_GAMES: path.join(home, 'games'),
    ROUNDHOUSE_DATA: path.join(home, dataFolder),
  };
}

/** The betID of a new round. */
async function playRound(url: string, on: TestDatabase): Promise<number> {
  const env = environment(on);
  const sessionID = sessionOf((await succeed(['session', '--player', 'anna', '--rgs-url', url], { env })).trim());
  await call(url, '/wallet/authenticate', { sessionID });
  const { round } = await call(url, '/wallet/play', { sessionID, amount: UNIT, mode: 'AUTO' });
  await call(url, '/wallet/end-round', { sessionID });
  return round.betID;
}

async function setLastRoundID({ url }: TestDatabase, id: number): Promise<void> {
  const client = await openClient(url);
  await client.query(`DELETE FROM rounds WHERE id > ${id}`);
  await client.query(`SELECT setval('rounds_id_seq', ${id})`);
  await client.end();
}

const serve = (on: TestDatabase, dataFolder?: string) =>
  runRoundhouse(['serve', '--port', '0'], { env: environment(on, dataFolder) });

test('a database that has gone back is refused by a node that has seen more of it', async () => {
  await setLastRoundID(database, lastRoundID - 1);
  const seen = `this node has seen round ${lastRoundID}, it knows none after ${lastRoundID - 1}`;
  expectOneLine(
    await serve(database),
    new RegExp(`^The database has gone back: ${seen}\\. Run \`roundhouse after-restore\``),
  );
});

test('a restored database is refused, and after the command its rounds have ids that nobody has seen', async () => {
  const restored = await createCopy(database);
  const env = environment(restored, 'data of the restored one');
  expectOneLine(
    await serve(restored),
    /^The database was restored or copied: .* Run `roundhouse after-restore` first\.$/m,
  );
  const tooMany = await runRoundhouse(['after-restore', '--skip', '9007199254740991'], { env });
  expectOneLine(tooMany, /^There are not so many round ids left/);
  expect(await succeed(['after-restore'], { env })).toContain(`go on above ${lastRoundID - 1 + SKIPPED}. Now run`);

  const node = await startServe(['--workers', '1'], { env });
  const betID = await playRound(node.url, restored);
  expect(betID).toBe(lastRoundID + SKIPPED);

  // Under the running node the database goes back too, as after a failover to a standby that lacked the latest commits.
  const mark = path.join(env.ROUNDHOUSE_DATA, 'last-round.json');
  await expect.poll(() => readFile(mark, 'utf8')).toContain(`"${betID}"`);
  await setLastRoundID(restored, lastRoundID - 1);
  await node.waitFor(/"found":"2".*"msg":"the database has gone back: rounds are missing in it"/);
  expect(await playRound(node.url, restored)).toBe(betID + SKIPPED + 1);
  await stop(node);
});
