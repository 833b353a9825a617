import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openClient } from '@roundhouse/service';
import { beforeAll, expect, it } from 'vitest';
import { serveRefusal, startFirstWorker } from '../../node/firstWorker.ts';
import { createCopy } from '../../support/database.ts';
import { call } from '../../support/rgsCalls.ts';
import { expectOneLine, houseSession, runRoundhouse, succeed } from '../../support/roundhouse.ts';
import { type ServedFixture, servedFixture } from '../../support/servedFixture.ts';

const SKIPPED = 1_000_000_000;

let env: ServedFixture;
let lastRoundID: number;

beforeAll(async () => {
  env = await servedFixture('restored');
  const node = await startFirstWorker(env);
  for (let round = 1; round <= 3; round += 1) lastRoundID = await playRound(node.url, env);
  await node.close();
});

/** Returns the betID of a new round. */
async function playRound(url: string, env: ServedFixture): Promise<number> {
  const sessionID = await houseSession({ url, env, player: 'anna' });
  await call(url, '/wallet/authenticate', { sessionID });
  const { round } = await call(url, '/wallet/play', { sessionID, amount: 1_000_000, mode: 'AUTO' });
  await call(url, '/wallet/end-round', { sessionID });
  return round.betID;
}

async function setLastRoundID({ DATABASE_URL }: ServedFixture, id: number): Promise<void> {
  const client = await openClient(DATABASE_URL);
  await client.query(`DELETE FROM rounds WHERE id > ${id}`);
  await client.query(`SELECT setval('rounds_id_seq', ${id})`);
  await client.end();
}

it('a node refuses a database that lacks rounds which the node has seen', async () => {
  await setLastRoundID(env, lastRoundID - 1);
  const seen = `this node has seen round ${lastRoundID}, it knows none after ${lastRoundID - 1}`;
  const refusal = new RegExp(`^The database has gone back: ${seen}\\. Run \`roundhouse after-restore\``);
  expect(await serveRefusal(env)).toMatch(refusal);
});

it('serve refuses a restored database; after-restore gives its next rounds ids that were never used', async () => {
  const copy = await createCopy({ url: env.DATABASE_URL });
  const restored = { ...env, DATABASE_URL: copy.url };
  const refusal = /^The database was restored or copied: .* Run `roundhouse after-restore` first\.$/m;
  expect(await serveRefusal(restored)).toMatch(refusal);
  const own = { ...restored, ROUNDHOUSE_DATA: `${env.ROUNDHOUSE_DATA} of the restored one` };
  const tooMany = await runRoundhouse(['after-restore', '--skip', '9007199254740991'], { env: own });
  expectOneLine(tooMany, /^Fewer round ids than that are left/);
  expect(await succeed(['after-restore'], { env: own })).toContain(`go on above ${lastRoundID - 1 + SKIPPED}. Now run`);

  const node = await startFirstWorker(own);
  const betID = await playRound(node.url, own);
  expect(betID).toBe(lastRoundID + SKIPPED);

  // This is the state after a failover to a standby that lacked the latest commits.
  const mark = path.join(own.ROUNDHOUSE_DATA, 'last-round.json');
  await expect.poll(() => readFile(mark, 'utf8')).toContain(`"${betID}"`);
  await setLastRoundID(own, lastRoundID - 1);
  const warning = /"found":"2".*"msg":"the database has gone back: rounds are missing in it"/;
  await expect.poll(node.lines).toMatch(warning);
  expect(await playRound(node.url, own)).toBe(betID + SKIPPED + 1);
  await node.close();
});
