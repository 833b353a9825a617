import http from 'node:http';
import { FAIRNESS_ROUTES } from '@roundhouse/contract';
import { hmacUnder, ticketOf, verify } from '@roundhouse/fair';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { openServerSeed, readFairState } from '../../../src/store/rounds/fairSeeds.ts';
import { SECRETS_KEY } from '../../support/roundhouse.ts';
import { expectRefusal } from '../../support/snapshot.ts';
import { startTestServer, type TestServer, UNIT } from '../../support/testServer.ts';

const ROUNDS = 100_000;
const PLAYER = { draws: 'provablyFair', token: 'plays-much' };

let server: TestServer;
let serverSeedHash = '';

beforeAll(async () => {
  server = await startTestServer({ secretsKey: SECRETS_KEY });
  const sessionID = await server.liveSession(PLAYER);
  await server.post(FAIRNESS_ROUTES.clientSeed.path, { sessionID, clientSeed: 'lucky' });
  ({ serverSeedHash } = (await server.authenticate(sessionID)).body.meta.fairness);
  await insertRounds(sessionID);
  const rotated = await server.post(FAIRNESS_ROUTES.rotate.path, { sessionID, serverSeedHash, clientSeed: 'next' });
  expect(rotated.body.revealed).toMatchObject({ nonces: ROUNDS });
});
afterAll(() => server.close());

/** Stores the rounds that as many plays would have made, without their money. */
async function insertRounds(sessionID: string): Promise<void> {
  const { db, catalogue } = server;
  const session = await db.session.findUniqueOrThrow({ where: { tokenSha256: sha256Of(sessionID) } });
  const state = await readFairState(db, { sessionRowID: session.id });
  const math = catalogue.math({ gameID: 'fixture', version: '1.0.0', mode: 'BASE' });
  if (state === undefined || math === undefined) throw new Error('there is nothing to draw with');
  const seed = openServerSeed(db.secretKeys, state.sealedServerSeed, state.accountID);
  const hmac = hmacUnder(seed);
  const facts = { game: 'fixture', version: '1.0.0', mode: 'BASE', clientSeed: 'lucky' };
  const books = Array.from({ length: ROUNDS }, (_, nonce) =>
    math.at(ticketOf(hmac, { ...facts, nonce }, math.totalWeight)),
  );
  await db.$executeRaw`
    INSERT INTO rounds (player_id, game_id, game_version_id, session_id, account_id, mode, cost_multiplier, amount_micros, debit_micros,
      book_id, payout_multiplier, payout_micros, opened_at, ended_at, fair_seed_id, fair_nonce)
    SELECT ${session.playerId}, ${session.gameId}, ${session.gameVersionId}, ${session.id}, ${session.accountId}, 'BASE', 1, ${UNIT}, ${UNIT},
      b.id, b.multiplier, ${UNIT} * b.multiplier / 100, now(), now(), ${state.seedID}, b.place - 1
    FROM unnest(${books.map(({ bookID }) => bookID)}::bigint[], ${books.map(({ payoutMultiplier }) => payoutMultiplier)}::bigint[])
      WITH ORDINALITY AS b (id, multiplier, place) ORDER BY b.place`;
  await db.account.update({ where: { id: session.accountId }, data: { fairNonce: ROUNDS } });
}

const exportOf = (sessionID: string) => server.post(FAIRNESS_ROUTES.export.path, { sessionID, serverSeedHash });

/** Begins an export, and takes no more of it than its head. */
async function beginExport(): Promise<{ sessionID: string; leave: () => void }> {
  const sessionID = await server.liveSession(PLAYER);
  const request = http.request(server.url + FAIRNESS_ROUTES.export.path, { method: 'POST', agent: false });
  request.end(JSON.stringify({ sessionID, serverSeedHash }));
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  expect(response.statusCode).toBe(200);
  response.pause().on('error', () => {});
  return { sessionID, leave: () => request.destroy() };
}

it('has 100,000 rounds without a gap, each drawn as it says', async () => {
  const { body } = await exportOf(await server.liveSession(PLAYER));
  expect(verify(body)).toMatchObject({ ok: true, rounds: ROUNDS, voids: 0, notRevealed: false, issues: [] });
});

it('is given to a session once at a time, and again when its client has gone', async () => {
  const { sessionID, leave } = await beginExport();
  const refused = await exportOf(sessionID);
  expectRefusal(refused, 'ERR_GEN');
  expect(refused.headers.get('retry-after')).toBe('2');
  leave();
  await expect.poll(async () => (await exportOf(sessionID)).status).toBe(200);
});

it('is given to four sessions at a time, while others are served', async () => {
  const running = await Promise.all([beginExport(), beginExport(), beginExport(), beginExport()]);
  const sessionID = await server.liveSession(PLAYER);
  expectRefusal(await exportOf(sessionID), 'ERR_GEN');
  expect((await server.post(FAIRNESS_ROUTES.seeds.path, { sessionID })).status).toBe(200);
  expect((await server.play(sessionID)).status).toBe(200);
  for (const { leave } of running) leave();
  await expect.poll(async () => (await exportOf(sessionID)).status).toBe(200);
});

it('ends its statements when its client goes', async () => {
  const { leave } = await beginExport();
  leave();
  await expect.poll(() => server.db.pool.totalCount - server.db.pool.idleCount).toBe(0);
});
