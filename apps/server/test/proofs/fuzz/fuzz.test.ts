import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { toMicros } from '@roundhouse/contract';
import { afterAll, expect, it, vi } from 'vitest';
import { setBalance } from '../../../src/ledger/setBalance.ts';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { type Database, openDatabase } from '../../../src/store/database/database.ts';
import { addHouseOperator, launchBody, operatorClient } from '../../operators/api/operatorClient.ts';
import { servedFixture } from '../../support/servedFixture.ts';
import { clientOf, expectBooksBalance, UNIT } from '../../support/testServer.ts';
import { startFuzzedServer, type Usage } from './fuzzedServer.ts';
import { createLane, fuzz, type Lane } from './lane.ts';
import type { Seat } from './playerModel.ts';
import { FOREIGN_GRANT } from './requests.ts';

// `npm run proof -- fuzz --requests 1000000 --seed 7` sets these.
const { FUZZ_REQUESTS, FUZZ_SEED = '20261122', FUZZ_ONLY } = process.env;
const IS_SHORT = FUZZ_REQUESTS === undefined;
const REQUESTS = Number(FUZZ_REQUESTS ?? 10_000);
const SEED = Number(FUZZ_SEED);
const ONLY = FUZZ_ONLY === undefined ? undefined : Number(FUZZ_ONLY);
const LANES = 24;
/** Beside other tests all responses are late. */
const TIMEOUT_MS = IS_SHORT ? 30_000 : 5_000;
const WARM_UP_REQUESTS = IS_SHORT ? 2_000 : 4_000;
/**
 * Three sessions share an account, of which their operator ends one; the other has its own, and
 * fair draws.
 */
const SEATS: readonly Pick<Seat, 'currency' | 'ends' | 'draws'>[] = [
  { currency: 'USD' },
  { currency: 'USD' },
  { currency: 'XSC', draws: 'provablyFair' },
  { currency: 'USD', ends: true },
];
/** Some bets cost more than this. */
const OPENING_BALANCE = 10_000_000_000;
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
    expect(await db.grant.findFirst({ where: { externalId: FOREIGN_GRANT } })).toMatchObject({
      state: 'offered',
      used: 0,
    });
    for (const { seats, player } of lanes) {
      const accounts = await accountsOf(db, seats);
      for (const { currency, balanceMicros } of accounts)
        expect(Number(balanceMicros)).toBe(player.balanceOf(currency));
      const rounds = await db.round.count({ where: { accountId: { in: accounts.map(({ id }) => id) } } });
      expect(rounds).toBe(player.rounds());
      expect(await grantsOf(db, accounts)).toEqual(
        new Map(player.grants().map(({ grantID, state, used, left, won }) => [grantID, { state, used, left, won }])),
      );
    }

    if (ONLY === undefined) {
      const waiting = { timeout: 60_000, interval: 500 };
      const after = await vi.waitFor(() => usageWithoutGrowth(running.usage, before), waiting);
      const grants = lanes.flatMap(({ player }) => player.grants());
      const used = grants.reduce((sum, grant) => sum + grant.used, 0);
      const proofs = lanes.reduce((sum, { player }) => sum + player.provenRounds(), 0);
      expect(proofs).toBeGreaterThan(0);
      console.log(report(summary, { before, after }));
      console.log(
        `${used} free rounds of ${grants.length} grants; ${proofs} rounds in proofs and exports, all verified`,
      );
    }
    expect(await running.stop()).toBe(0);
  } finally {
    await db.$disconnect();
  }
});

/** Writes a page and a script of 40 KB. */
async function writeFrontend(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'index.html'), '<!doctype html><script src="game.js"></script>');
  await writeFile(path.join(folder, 'game.js'), `// ${randomBytes(20_000).toString('hex')}`);
}

/** Makes a player with money and three sessions for each lane, beside an operator without any. */
async function openLanes(db: Database, { url, port }: { url: string; port: number }): Promise<Lane[]> {
  const [owner, other] = [await addHouseOperator(db), await addHouseOperator(db)];
  await giveForeignGrant(operatorClient(url, owner));
  const secrets = { owner, other, forger: { code: owner.code, secret: other.secret } };
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const playerID = sha256Of(`player ${lane}`).toString('hex');
    const seats = SEATS.map((seat, place) => {
      // It is a hash, so that no damaged sessionID is the one of another session.
      return { ...seat, playerID, sessionID: `${MARK}-${sha256Of(`${lane} ${place}`).toString('hex').slice(0, 16)}` };
    });
    for (const { sessionID, currency, draws } of seats)
      await operatorClient(url, owner).launch(launchBody({ sessionID, currency, playerID, ...(draws && { draws }) }));
    for (const { id } of await accountsOf(db, seats)) await setBalance(db, id, toMicros(OPENING_BALANCE));
    for (const { sessionID } of seats) {
      // The model assumes it. Without it, a later refusal would look like a wrong response.
      expect((await clientOf(url).post('/wallet/authenticate', { sessionID })).status).toBe(200);
    }
    return createLane({ target: { port, timeoutMs: TIMEOUT_MS }, secrets, seats, balance: OPENING_BALANCE });
  });
  return Promise.all(lanes);
}

const accountsOf = (db: Database, [seat]: readonly Seat[]) =>
  db.account.findMany({ where: { player: { externalId: seat?.playerID ?? '' } } });

async function grantsOf(db: Database, accounts: readonly { id: bigint }[]) {
  const grants = await db.grant.findMany({ where: { accountId: { in: accounts.map(({ id }) => id) } } });
  return new Map(
    grants.map(({ externalId, state, used, left, wonMicros }) => {
      return [externalId, { state, used, left, won: Number(wonMicros) }];
    }),
  );
}

/** A grant of a player who never plays: nobody else can use it. */
async function giveForeignGrant(client: ReturnType<typeof operatorClient>): Promise<void> {
  const terms = { gameIDs: ['fixture'], mode: 'BASE', bets: { USD: UNIT }, rounds: 1, endsAt: '2200-01-01T00:00:00Z' };
  const grants = [{ grantID: FOREIGN_GRANT, playerID: 'somebody', currency: 'USD' }];
  expect((await client.giveGrants({ terms, grants })).status).toBe(200);
}

type Summary = Awaited<ReturnType<typeof fuzz>>;

async function usageWithoutGrowth(usage: () => Promise<Usage>, before: Usage): Promise<Usage> {
  const now = await usage();
  for (const name of Object.keys(before) as (keyof Usage)[])
    expect(now[name], name).toBeLessThanOrEqual(before[name] * MOST_GROWTH);
  return now;
}

function report({ requests, seconds, slowestMs, statuses }: Summary, usage: Record<string, Usage>): string {
  const rate = Math.round(requests / seconds);
  return [
    `${requests} requests, seed ${SEED}, in ${seconds.toFixed(0)} s: ${rate}/s; slowest response ${slowestMs.toFixed(0)} ms`,
    `statuses: ${JSON.stringify(statuses)}`,
    `usage: ${JSON.stringify(usage, (_, size) => (size > 1 ? Math.round(size) : size))}`,
  ].join('\n');
}
