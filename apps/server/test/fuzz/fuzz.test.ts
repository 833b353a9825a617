import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { toMicros } from '@roundhouse/contract';
import { afterAll, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/ledger/database.ts';
import { setBalance } from '../../src/ledger/queries/players.ts';
import { sha256Of } from '../../src/sessions/sessionToken.ts';
import { addHouseOperator, launchBody, operatorClient } from '../operator/operatorClient.ts';
import { servedFixture } from '../support/servedFixture.ts';
import { clientOf, expectBooksBalance } from '../support/testServer.ts';
import { startFuzzedServer, type Usage } from './fuzzedServer.ts';
import { createLane, fuzz, type Lane } from './lane.ts';

// `npm run fuzz -- --requests 1000000 --seed 7` sets these.
const { FUZZ_REQUESTS, FUZZ_SEED = '20261122', FUZZ_ONLY } = process.env;
const IS_SHORT = FUZZ_REQUESTS === undefined;
const REQUESTS = Number(FUZZ_REQUESTS ?? 20_000);
const SEED = Number(FUZZ_SEED);
const ONLY = FUZZ_ONLY === undefined ? undefined : Number(FUZZ_ONLY);
const LANES = 24;
/** Beside other tests all responses are late. */
const TIMEOUT_MS = IS_SHORT ? 30_000 : 5_000;
const WARM_UP_REQUESTS = IS_SHORT ? 2_000 : 4_000;
const OPENING_BALANCE = 1_000_000_000_000;
/** Every sessionID begins with it. */
const MARK = 'fuzzed-session';
const MOST_GROWTH = 1.1;

let server: Awaited<ReturnType<typeof startFuzzedServer>> | undefined;
afterAll(() => void server?.kill());

const title = `${REQUESTS} requests of any kind, seed ${SEED}: each response keeps to the protocol, and nothing leaks`;
it(title, { timeout: 600_000 + REQUESTS * 30 }, async () => {
  const env = await servedFixture('fuzz');
  await writeFrontend(path.join(env.ROUNDHOUSE_GAMES ?? '', 'fixture', 'frontend'));
  const running = await startFuzzedServer(env, MARK);
  server = running;
  const db = openDatabase({ url: env.DATABASE_URL ?? '' });
  try {
    const lanes = await openLanes(db, running);
    if (ONLY === undefined)
      expect(await fuzz({ lanes, seed: SEED + 1, requests: WARM_UP_REQUESTS })).toMatchObject({ failures: [] });
    const before = await running.usage();

    const summary = await fuzz({ lanes, seed: SEED, requests: REQUESTS, only: ONLY });
    expect(summary.failures[0] ?? '').toBe('');
    expect(running.badLines).toEqual([]);

    await expectBooksBalance(db);
    for (const { oracle } of lanes) {
      const { id, balanceMicros } = await accountOf(db, oracle.sessionID);
      const rounds = await db.round.count({ where: { accountId: id } });
      const stored = { balance: Number(balanceMicros), rounds };
      expect(stored).toEqual({ balance: oracle.balance(), rounds: oracle.rounds() });
    }

    if (ONLY === undefined) {
      const after = await vi.waitFor(() => usageWithoutGrowth(running.usage, before), {
        timeout: 60_000,
        interval: 500,
      });
      console.log(report(summary, { before, after }));
    }
    expect(await running.stop()).toBe(0);
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

/** A session with money for each lane, all of one operator, beside another operator without any. */
async function openLanes(db: Database, { url, port }: { url: string; port: number }): Promise<Lane[]> {
  const [owner, other] = [await addHouseOperator(db), await addHouseOperator(db)];
  const secrets = { owner, other, forger: { code: owner.code, secret: other.secret } };
  const lanes = Array.from({ length: LANES }, async (_, place) => {
    // A hash, so that no damaged sessionID is the one of another lane.
    const sessionID = `${MARK}-${sha256Of(`lane ${place}`).toString('hex').slice(0, 16)}`;
    await operatorClient(url, owner).launch(launchBody({ sessionID, playerID: playerOf(sessionID) }));
    await setBalance(db, (await accountOf(db, sessionID)).id, toMicros(OPENING_BALANCE));
    expect((await clientOf(url).post('/wallet/authenticate', { sessionID })).status).toBe(200);
    return createLane({ target: { port, timeoutMs: TIMEOUT_MS }, secrets, sessionID, balance: OPENING_BALANCE });
  });
  return Promise.all(lanes);
}

/** The name of the player, which the operator may see. */
const playerOf = (sessionID: string) => sha256Of(sessionID).toString('hex');
const accountOf = (db: Database, sessionID: string) =>
  db.account.findFirstOrThrow({ where: { player: { externalId: playerOf(sessionID) } } });

type Summary = Awaited<ReturnType<typeof fuzz>>;

async function usageWithoutGrowth(usage: () => Promise<Usage>, before: Usage): Promise<Usage> {
  const now = await usage();
  for (const name of Object.keys(before) as (keyof Usage)[])
    expect(now[name], name).toBeLessThanOrEqual(before[name] * MOST_GROWTH);
  return now;
}

function report({ requests, seconds, slowestMs, statuses }: Summary, { before, after }: Record<string, Usage>): string {
  const rate = Math.round(requests / seconds);
  const sizes = (usage: Usage | undefined) => JSON.stringify(usage, (_, size) => (size > 1 ? Math.round(size) : size));
  return [
    `${requests} requests, seed ${SEED}, in ${seconds.toFixed(0)} s: ${rate}/s; slowest response ${slowestMs.toFixed(0)} ms`,
    `statuses: ${JSON.stringify(statuses)}; before ${sizes(before)}, after ${sizes(after)}`,
  ].join('\n');
}
