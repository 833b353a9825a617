import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { toMicros } from '@roundhouse/contract';
import { afterAll, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/ledger/database.ts';
import { startSession } from '../../src/ledger/queries/startSession.ts';
import { sha256Of } from '../../src/sessions/sessionToken.ts';
import { addHouseOperator } from '../operator/operatorClient.ts';
import { servedFixture } from '../support/servedFixture.ts';
import { expectBooksBalance } from '../support/testServer.ts';
import { fuzz, type Summary } from './fuzz.ts';
import { type FuzzedServer, startFuzzedServer, type Usage } from './fuzzedServer.ts';
import { createLane } from './lane.ts';

// `npm run fuzz -- --requests 1000000 --seed 7` sets these.
const IS_SHORT = process.env.FUZZ_REQUESTS === undefined;
const REQUESTS = IS_SHORT ? 20_000 : Number(process.env.FUZZ_REQUESTS);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122);
const ONLY = process.env.FUZZ_ONLY === undefined ? undefined : Number(process.env.FUZZ_ONLY);
const LANES = 24;
/** Beside other tests all answers are late. */
const ANSWER_TIMEOUT_MS = IS_SHORT ? 30_000 : 5_000;
const WARM_UP_REQUESTS = IS_SHORT ? 2_000 : 4_000;
const OPENING_BALANCE = 1_000_000_000_000;
/** In each sessionID, so that it is found wherever one appears. */
const MARK = 'fuzzed-session';
const MORE_THAN_BEFORE = 1.1;

let server: FuzzedServer | undefined;
afterAll(() => void server?.kill());

test(`${REQUESTS} requests of any kind, seed ${SEED}: each is answered within the interface, and nothing leaks`, {
  timeout: 600_000 + REQUESTS * 30,
}, async () => {
  const env = await servedFixture('fuzz');
  await writeFrontend(path.join(env.ROUNDHOUSE_GAMES ?? '', 'fixture', 'frontend'));
  server = await startFuzzedServer(env, MARK);
  const db = openDatabase({ url: env.DATABASE_URL ?? '' });
  try {
    const lanes = await openLanes(db, server.port);
    if (ONLY === undefined)
      expect(await fuzz({ lanes, seed: SEED + 1, requests: WARM_UP_REQUESTS })).toMatchObject({ failures: [] });
    for (const lane of lanes) lane.close();
    const before = await server.usage();

    const summary = await fuzz({ lanes, seed: SEED, requests: REQUESTS, only: ONLY, say: console.log });
    expect(summary.failures[0] ?? '').toBe('');
    expect(server.isRunning()).toBe(true);
    expect(server.badLines).toEqual([]);

    // The money of each session is what its own model says, and there is no round more than it
    // knows.
    await expectBooksBalance(db);
    for (const { purse } of lanes)
      expect(await standOf(db, purse.sessionID)).toEqual([purse.balance(), purse.rounds()]);

    for (const lane of lanes) lane.close();
    if (ONLY === undefined) console.log(report(summary, { before, after: await settled(server, before) }));
    expect(await server.stop()).toBe(0);
  } finally {
    await db.$disconnect();
  }
});

/** A page and a script of 40 KB. */
async function writeFrontend(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'index.html'), '<!doctype html><script src="game.js"></script>');
  await writeFile(path.join(folder, 'game.js'), `// ${randomBytes(20_000).toString('hex')}`);
}

/**
 * A session with money for each lane, all of one operator; and another operator, who has none of
 * them.
 */
async function openLanes(db: Database, port: number) {
  const [owner, other] = [await addHouseOperator(db), await addHouseOperator(db)];
  const secrets = { owner, other, forger: { code: owner.code, secret: other.secret } };
  const lanes = Array.from({ length: LANES }, (_, place) => ({
    port,
    secrets,
    // A hash, so that no damaged sessionID is the one of another lane.
    sessionID: `${MARK}-${sha256Of(`lane ${place}`).toString('hex').slice(0, 16)}`,
    balance: OPENING_BALANCE,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
  }));
  for (const { sessionID, balance } of lanes) {
    const started = await startSession(db, {
      tokenSha256: sha256Of(sessionID),
      operatorCode: owner.code,
      playerExternalID: sha256Of(sessionID).toString('hex'),
      currency: 'USD',
      gameID: 'fixture',
      gameVersion: '1.0.0',
      country: undefined,
      jurisdiction: {},
      openingBalance: toMicros(balance),
      setBalanceTo: undefined,
    });
    if (!started.ok) throw new Error(started.refusal);
    await db.session.update({ where: { tokenSha256: sha256Of(sessionID) }, data: { state: 'authenticated' } });
  }
  return lanes.map(createLane);
}

async function standOf(db: Database, sessionID: string): Promise<[balance: number, rounds: number]> {
  const { playerId } = await db.session.findUniqueOrThrow({ where: { tokenSha256: sha256Of(sessionID) } });
  const account = await db.account.findFirstOrThrow({ where: { playerId } });
  return [Number(account.balanceMicros), await db.round.count({ where: { playerId } })];
}

/** The usage of the server once it has been left alone, and is back where it was. */
async function settled(running: FuzzedServer, before: Usage): Promise<Usage> {
  const look = async () => {
    const now = await running.usage();
    for (const name of Object.keys(before) as (keyof Usage)[])
      expect(now[name], name).toBeLessThanOrEqual(before[name] * MORE_THAN_BEFORE);
    return now;
  };
  return vi.waitFor(look, { timeout: 60_000, interval: 500 });
}

function report(
  { requests, seconds, slowestMs, statuses }: Summary,
  { before, after }: { before: Usage; after: Usage },
): string {
  const rate = Math.round(requests / seconds);
  const was = (name: keyof Usage) => `${Math.round(before[name])} before, ${Math.round(after[name])} after`;
  return [
    `${requests} requests, seed ${SEED}, in ${seconds.toFixed(0)} s: ${rate}/s; slowest answer ${slowestMs.toFixed(0)} ms`,
    `statuses: ${Object.entries(statuses)
      .map(([status, count]) => `${status} ${count}`)
      .join(', ')}`,
    `descriptors: ${was('descriptors')}; heap in MB: ${was('heapMB')}; resident in MB: ${was('residentMB')}`,
  ].join('\n');
}
