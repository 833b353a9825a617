import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { aggregatorOf } from '@roundhouse/aggregators';
import { dialectOf } from '@roundhouse/dialects';
import { afterAll, expect, it, vi } from 'vitest';
import { cancelGrant } from '../../../src/rounds/freeRounds/grants.ts';
import { type Database, openDatabase } from '../../../src/store/database/database.ts';
import { createTestDatabase } from '../../support/database.ts';
import { writeFixtureGame } from '../../support/fixtureGame.ts';
import { age, DAY_MS, HOUR_MS } from '../../support/moveTime.ts';
import { runRoundhouse, succeed, temporaryFolder } from '../../support/roundhouse.ts';
import { expectBooksBalance } from '../../support/testServer.ts';
import type { Aggregator } from './aggregator.ts';
import { netOf } from './agreement.ts';
import { report } from './report.ts';
import { OPENING_BALANCE } from './simulate.ts';
import { AGGREGATOR_CODE, type DialectSimulation, simulateDialect } from './simulateDialect.ts';

// `npm run proof -- chaos --dialect hub88 --rounds 5000 --seed 7` sets these.
const DIALECT = process.env.CHAOS_DIALECT ?? 'hub88';
const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 60);
const SEED = Number(process.env.CHAOS_SEED ?? 20_261_124);
const PLAYERS = 12;
const KILLS = Math.max(2, Math.floor(ROUNDS / 200));

let simulation: DialectSimulation | undefined;
afterAll(async () => {
  if (simulation) await Promise.all([simulation.aggregator, ...simulation.nodes].map((each) => each.kill()));
});

it(`${ROUNDS} rounds of ${PLAYERS} players behind ${DIALECT}, seed ${SEED}: everything fails, nodes are killed, retries run out, and no money is lost`, {
  timeout: 600_000 + ROUNDS * 200,
}, async () => {
  const [database, game] = await Promise.all([createTestDatabase(), writeFixtureGame()]);
  const env = { DATABASE_URL: database.url };
  const db = openDatabase({ url: database.url });
  try {
    const node = { databaseUrl: database.url, games: path.dirname(game.folder), data: game.storeFolder };
    const options = { ...node, db, dialect: DIALECT, seed: SEED, rounds: ROUNDS, players: PLAYERS, kills: KILLS };
    simulation = await simulateDialect(options);
    const { aggregator, players, grantIDs } = simulation;

    const staff = await settleByHand(aggregator, env);
    await settled(db, env);
    // This ends for every player, so no player is stuck.
    await Promise.all(players.map((player) => player.playRound()));
    await endGrants(db);
    await settled(db, env);

    await expectAgreement(db, { aggregator, playerIDs: players.map(({ playerID }) => playerID), env });
    await expectGrantsEnded(db, grantIDs);
    const completed = await db.round.count({ where: { walletState: { not: 'void' } } });
    expect(completed).toBeGreaterThanOrEqual(ROUNDS * 0.8);
    const parked = `parked: ${staff.settled} settled by hand, ${staff.retried} retried`;
    await report(db, players, [parked, `killed: the nodes ${KILLS} times`]);
  } finally {
    await db.$disconnect();
  }
});

/**
 * Staff reads the export of the aggregator: what it has booked is settled, all else is retried.
 */
async function settleByHand(aggregator: Aggregator, env: NodeJS.ProcessEnv) {
  const list = async () =>
    [...(await succeed(['parked', 'list'], { env })).matchAll(/^([\da-f-]{36}) /gm)].map(([, id]) => id as string);
  const booked = new Set((await aggregator.transactions()).map(({ transactionID }) => transactionID));
  const parked = await list();
  expect(parked.length).toBeGreaterThan(0);
  const seen = parked.filter((id) => booked.has(id));
  for (const id of seen) await succeed(['parked', 'settle', id, '--reason', 'it is in the export'], { env });
  const left = await list();
  await succeed(['parked', 'retry', 'all'], { env });
  return { settled: seen.length, retried: left.length };
}

/**
 * Nothing is left that is retried. A day passes when a rollback has to be older. On a slow machine
 * several days may pass, and another transaction is parked: staff retries it.
 */
async function settled(db: Database, env: NodeJS.ProcessEnv): Promise<void> {
  const { rollbackAfterMs } = dialectOf(DIALECT).traits;
  const waiting = [{ resultCode: 'ERR_BNF' }, ...(rollbackAfterMs > 0 ? [{ attempts: 0 }] : [])];
  const step = async () => {
    await db.$executeRaw`
      UPDATE wallet_transactions SET due_at = now() WHERE state = 'pending' AND due_at > now() + interval '5 seconds'`;
    const createdAt = { gt: new Date(Date.now() - HOUR_MS) };
    const young = { state: 'pending', kind: 'rollback', OR: waiting, createdAt } as const;
    if ((await db.walletTransaction.count({ where: young })) > 0) await age({ db }, 1);
    const parked = await db.walletTransaction.count({ where: { state: 'parked' } });
    if (parked > 0) await succeed(['parked', 'retry', 'all'], { env });
    expect(parked + (await db.walletTransaction.count({ where: { state: 'pending' } }))).toBe(0);
  };
  await vi.waitFor(step, { timeout: 200_000, interval: 200 });
}

async function endGrants(db: Database): Promise<void> {
  const { id: operatorID } = await db.operator.findUniqueOrThrow({ where: { code: AGGREGATOR_CODE } });
  for (const { externalId: grantID } of await db.grant.findMany({ where: { endedAt: null } }))
    await cancelGrant(db, { operatorID, operatorCode: AGGREGATOR_CODE, grantID, actor: 'a test' });
}

/** The books of both sides agree to the micro, and the list of the aggregator has no difference. */
async function expectAgreement(
  db: Database,
  { aggregator, playerIDs, env }: { aggregator: Aggregator; playerIDs: readonly string[]; env: NodeJS.ProcessEnv },
): Promise<void> {
  await aggregator.prove();
  await expectBooksBalance(db);
  expect(await db.round.count({ where: { endedAt: null } })).toBe(0);
  for (const playerID of playerIDs) {
    const named = aggregatorOf(DIALECT)?.aggregator.playerIDOf?.(playerID) ?? playerID;
    const expected = OPENING_BALANCE + (await netOf(db, named));
    expect({ playerID, balance: await aggregator.balance(playerID, 'USD') }).toEqual({ playerID, balance: expected });
  }
  const file = path.join(await temporaryFolder('export'), 'export.jsonl');
  await writeFile(file, (await aggregator.transactions()).map((each) => JSON.stringify(each)).join('\n'));
  const from = new Date(Date.now() - 10 * DAY_MS).toISOString();
  const time = ['--from', from, '--to', 'now'];
  const { stdout } = await runRoundhouse(['reconcile', AGGREGATOR_CODE, ...time, '--list', file], { env });
  expect(stdout).toMatch(/^No difference/);
  expect(await succeed(['books-balance'], { env })).toMatch(/^The books balance: /);
}

async function expectGrantsEnded(db: Database, grantIDs: readonly string[]): Promise<void> {
  const grants = await db.grant.findMany({ where: { operator: { code: AGGREGATOR_CODE } } });
  expect(grants.map(({ externalId }) => externalId)).toEqual(expect.arrayContaining([...grantIDs]));
  for (const { externalId, given, used, expired, cancelled, left, endedAt } of grants) {
    expect({ externalId, sum: used + expired + cancelled, left }).toEqual({ externalId, sum: given, left: 0 });
    expect(endedAt, externalId).not.toBeNull();
  }
}
