import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createErrorLog } from '../../src/http/errors.ts';
import { Overload } from '../../src/ledger/batcher.ts';
import { createLedger, createLookUps } from '../../src/ledger/ledger.ts';
import type { SessionLookUp } from '../../src/ledger/queries/sessions.ts';
import { createVerificationLimit } from '../../src/sessions/resolveSession.ts';
import { createSessionDirectory } from '../../src/sessions/sessionDirectory.ts';
import { sha256Of } from '../../src/sessions/sessionToken.ts';
import { createHouseWallet } from '../../src/wallets/houseWallet.ts';
import { startTestServer, type TestServer } from '../support/testServer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const authenticate = (sessionID: string) => server.post('/wallet/authenticate', { sessionID });
const play = (sessionID: string) => server.post('/wallet/play', { sessionID, amount: 1_000_000, mode: 'AUTO' });

/** Counts the connections that players' pool gives out while this runs. */
async function playersQueries(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const onAcquire = () => {
    count += 1;
  };
  server.db.pool.on('acquire', onAcquire);
  await work();
  server.db.pool.off('acquire', onAcquire);
  return count;
}

test('however many sessions that there are not are asked for, not one connection of the players is used', async () => {
  const unknown = Array.from({ length: 200 }, (_, index) => `made up ${index}`);
  const used = await playersQueries(async () => {
    const authenticated = await Promise.all(unknown.map(authenticate));
    const played = await Promise.all(unknown.map((sessionID) => play(`${sessionID} too`)));
    for (const { body } of [...authenticated, ...played]) expect(body.error).toBe('ERR_IS');
  });
  expect(used).toBe(0);
});

test('a player is answered while every connection for those who are not known is taken', async () => {
  const sessionID = await server.liveSession();
  const taken = await Promise.all([server.db.anonymous.connect(), server.db.anonymous.connect()]);
  const strangers = [1, 2, 3].map((number) => authenticate(`kept waiting ${number}`));
  expect((await play(sessionID)).status).toBe(200);
  for (const client of taken) client.release();
  for (const { body } of await Promise.all(strangers)) expect(body.error).toBe('ERR_IS');
});

test('equal questions are asked once, and what is unknown is remembered, but not when it has been issued', async () => {
  const lookUps = createLookUps(server.db);
  const house = createHouseWallet(createLedger(server.db));
  const wallets = { house, seamless: house };
  let asked = 0;
  let mayAnswer = Promise.resolve();
  const counted = {
    ...lookUps,
    session: async (lookUp: SessionLookUp) => {
      asked += 1;
      const found = await lookUps.session(lookUp);
      await mayAnswer;
      return found;
    },
  };
  const here = createSessionDirectory(counted, wallets);
  const elsewhere = createSessionDirectory(lookUps, wallets);
  const sessionID = 'issued a moment later';
  const ask = async (times: number) => {
    const found = await Promise.all(Array.from({ length: times }, () => here.lookUp(sessionID)));
    return { kinds: new Set(found.map(({ kind }) => kind)), asked };
  };
  expect(await ask(10)).toEqual({ kinds: new Set(['unknown']), asked: 1 });
  expect(await ask(1)).toEqual({ kinds: new Set(['unknown']), asked: 1 });
  expect(await elsewhere.find(sessionID)).toBeUndefined();

  here.issued(sessionID);
  let answer = () => {};
  mayAnswer = new Promise((resolve) => {
    answer = resolve;
  });
  const tooEarly = here.lookUp(sessionID);
  await expect.poll(() => asked, { timeout: 20_000 }).toBe(2);
  const issued = await server.newSession();
  await server.db
    .$executeRaw`UPDATE sessions SET token_sha256 = ${sha256Of(sessionID)} WHERE token_sha256 = ${sha256Of(issued)}`;
  here.issued(sessionID);
  answer();
  expect((await tooEarly).kind).toBe('unknown');
  expect(await ask(2)).toEqual({ kinds: new Set(['session']), asked: 3 });
  expect(await ask(1)).toEqual({ kinds: new Set(['session']), asked: 3 });
  await expect.poll(() => elsewhere.find(sessionID), { timeout: 20_000 }).toBeDefined();
});

test('unknown sessions are counted by address, and an IPv6 network is one', async () => {
  const limit = createVerificationLimit(2);
  const admitted = async (address: string) =>
    limit.admit(address).then(
      () => true,
      (error: unknown) => !(error instanceof Overload),
    );
  for (const [one, other] of [
    ['192.0.2.1', '::ffff:192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0:ffff::2'],
  ] as const)
    expect([await admitted(one), await admitted(other), await admitted(one)]).toEqual([true, true, false]);
  expect([await admitted('192.0.2.2'), await admitted('2001:db8:0:1::1')]).toEqual([true, true]);
});

test('what fails for a thousand requests at once is logged once', () => {
  const lines: string[] = [];
  const logError = createErrorLog(pino({}, { write: (line: string) => void lines.push(line) }));
  for (let time = 0; time < 1_000; time += 1) logError({ err: new Error('no connection') }, 'request failed');
  logError({ err: new Error('another') }, 'request failed');
  expect(lines).toHaveLength(2);
});
