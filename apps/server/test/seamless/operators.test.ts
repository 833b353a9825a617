import { type FakeWallet, OPENING_BALANCE, startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { disableOperator } from '../../src/ledger/queries/operators.ts';
import { launchBody, operatorClient } from '../operator/operatorClient.ts';
import { BOOK } from '../support/fixtureGame.ts';
import {
  addSeamlessOperator,
  expectBooksBalance,
  expectError,
  playerOf,
  SECRET,
  type SeamlessServer,
  startSeamlessServer,
} from '../support/seamlessServer.ts';

const UNIT = 1_000_000;
/** What comes soon comes late where others have the cores. */
const PATIENCE = { timeout: 100_000 };
let server: SeamlessServer;
let other: FakeWallet;

beforeAll(async () => {
  server = await startSeamlessServer();
  other = await startFakeWallet({ anyPlayer: true, secret: SECRET });
  await addSeamlessOperator(server.db, { code: 'other', url: other.url, timeoutMs: 2000 });
});
afterAll(async () => {
  await server.close();
  await other.close();
});
beforeEach(() => {
  server.wallet.forget();
  other.forget();
});

const play = (sessionID: string) => server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });

const sessionOfOther = () => sessionOf('other');

async function sessionOf(operator: string): Promise<string> {
  const sessionID = server.freshSession(undefined, operator);
  // A test before this one may have brought the wallet a rest.
  await vi.waitFor(async () => expect((await server.post('/wallet/authenticate', { sessionID })).status).toBe(200), {
    timeout: 20_000,
    interval: 200,
  });
  return sessionID;
}

test('an operator that hangs costs another operator’s players nothing: they play on while it does', async () => {
  const stuck = await Promise.all(Array.from({ length: 8 }, sessionOfOther));
  const lively = await server.seamlessSession();
  other.next('/debit', { kind: 'hang', done: false }, 8);
  other.next('/rollback', { kind: 'hang', done: false }, 8);
  const waiting = Promise.all(stuck.map(play)).then((answers) => ({ answers, done: true }));
  // Whole rounds of the other operator, one after the other, before any of the waiting ones has
  // come back.
  let rounds = 0;
  let over: { done: boolean } | undefined;
  void waiting.then((result) => {
    over = result;
  });
  while (over === undefined) {
    expect((await play(lively)).status).toBe(200);
    expect((await server.post('/wallet/end-round', { sessionID: lively })).status).toBe(200);
    rounds += 1;
  }
  expect(rounds).toBeGreaterThan(1);
  for (const answer of (await waiting).answers) expectError(answer, 500, 'ERR_GEN');
  await server.settled();
  await expectBooksBalance(server.db);
});

test('an operator that does not answer is left alone for a while: its players get ERR_GEN at once, and no intent is written', async () => {
  const sessions = await Promise.all(Array.from({ length: 11 }, sessionOfOther));
  other.next('/debit', { kind: 'cut', done: false }, 1000);
  other.next('/rollback', { kind: 'cut', done: false }, 1000);
  for (const sessionID of sessions.slice(0, 10)) expectError(await play(sessionID), 500, 'ERR_GEN');
  const last = sessions[10] ?? '';
  await vi.waitFor(async () => {
    const called = other.calls.length;
    const answer = await play(last);
    expectError(answer, 500, 'ERR_GEN');
    expect(answer.body.message).toBe('the wallet of the operator does not respond; no money moved');
    expect(other.callsTo('/debit').filter(({ sessionID }) => sessionID === last)).toEqual([]);
    expect(called).toBeGreaterThanOrEqual(10);
  }, PATIENCE);
  const player = await server.db.player.findFirstOrThrow({ where: { externalId: playerOf(last) } });
  expect(await server.db.round.count({ where: { playerId: player.id } })).toBe(0);

  // What comes first in the order of refusals is still said.
  expectError(await server.post('/wallet/play', { sessionID: last, amount: 1, mode: 'BASE' }), 400, 'ERR_VAL');
  // And the other operator's players notice nothing.
  const lively = await server.seamlessSession();
  expect((await play(lively)).status).toBe(200);

  other.forget();
  await vi.waitFor(async () => expect((await play(last)).status).toBe(200), PATIENCE);
  await server.settled();
  await expectBooksBalance(server.db);
});

test('at a disabled operator nobody plays, enters or is launched; what is owed is paid, and enabling ends it', async () => {
  const [sessionID, unseen] = [await sessionOfOther(), server.freshSession(undefined, 'other')];
  const api = operatorClient(server.url, { code: 'other', secret: SECRET });
  const { betID } = (await server.playBook(sessionID, BOOK.pays150)).body.round;
  other.next('/credit', { kind: 'refuse', code: 'ERR_UE' });
  expectError(await server.post('/wallet/end-round', { sessionID }), 500, 'ERR_GEN');
  other.forget();

  await disableOperator(server.db, { code: 'other', disabled: true });
  for (const path of ['/wallet/authenticate', '/wallet/balance', '/wallet/end-round']) {
    expectError(await server.post(path, { sessionID }), 500, 'ERR_MAINTENANCE');
  }
  expectError(await play(sessionID), 500, 'ERR_MAINTENANCE');
  expectError(await server.post('/wallet/authenticate', { sessionID: unseen }), 500, 'ERR_MAINTENANCE');
  expectError(await api.launch(launchBody()), 400, 'ERR_VAL');
  expect(other.callsTo('/authenticate').map((body) => body.sessionID)).not.toContain(unseen);
  expect((await play(await server.seamlessSession())).status).toBe(200);

  await server.hurry();
  await vi.waitFor(async () => expect((await api.round(betID)).body.state).toBe('settled'), PATIENCE);
  expect(other.balanceOf(playerOf(sessionID))).toBe(OPENING_BALANCE + UNIT / 2);

  await disableOperator(server.db, { code: 'other', disabled: false });
  expect((await api.launch(launchBody())).status).toBe(200);
  expect((await play(sessionID)).status).toBe(200);
  await server.settled();
  await expectBooksBalance(server.db);
});

test('two secrets are valid while one is exchanged: the first one signs', async () => {
  const sessionID = await server.seamlessSession();
  const operator = { where: { code: 'acme' } };
  const { secrets } = await server.db.operator.findUniqueOrThrow(operator);
  await server.db.operator.update({
    ...operator,
    data: { secrets: [...secrets, 'the next secret, at least thirty-two characters'] },
  });
  expect((await server.post('/wallet/authenticate', { sessionID })).status).toBe(200);
  // The wallet of this test knows the first one only.
  await server.db.operator.update({ ...operator, data: { secrets: [...secrets].reverse().concat('x').slice(-1) } });
  await vi.waitFor(
    async () => expectError(await server.post('/wallet/balance', { sessionID }), 500, 'ERR_GEN'),
    PATIENCE,
  );
  await server.db.operator.update({ ...operator, data: { secrets } });
  await vi.waitFor(
    async () => expect((await server.post('/wallet/balance', { sessionID })).status).toBe(200),
    PATIENCE,
  );
});

test('sessions that anybody can invent take no connection from players, and open no breaker for them', async () => {
  const lively = await sessionOfOther();
  other.next('/authenticate', { kind: 'hang', done: false }, 1000);
  let isOver = false;
  const flood = Promise.all(
    Array.from({ length: 140 }, () =>
      server.post('/wallet/authenticate', { sessionID: server.freshSession(undefined, 'other') }),
    ),
  ).finally(() => {
    isOver = true;
  });
  let rounds = 0;
  while (!isOver || rounds === 0) {
    expect((await play(lively)).body).toMatchObject({ round: { active: true } });
    expect((await server.post('/wallet/end-round', { sessionID: lively })).status).toBe(200);
    rounds += 1;
  }
  for (const answer of await flood) expectError(answer, 500, 'ERR_GEN');
  expect(other.callsTo('/authenticate').length).toBeLessThanOrEqual(40);
  expect((await play(lively)).status).toBe(200);
  await expectBooksBalance(server.db);
});

test('an operator that takes launched sessions only is not asked about any other', async () => {
  await server.db.operator.update({ where: { code: 'other' }, data: { launchedOnly: true } });
  try {
    const [invented, launched] = [server.freshSession(undefined, 'other'), server.freshSession(undefined, 'other')];
    expectError(await server.post('/wallet/authenticate', { sessionID: invented }), 400, 'ERR_IS');
    expect(other.callsTo('/authenticate')).toEqual([]);
    const operator = operatorClient(server.url, { code: 'other', secret: SECRET });
    expect((await operator.launch(launchBody({ sessionID: launched }))).status).toBe(200);
    expect((await server.post('/wallet/authenticate', { sessionID: launched })).status).toBe(200);
  } finally {
    await server.db.operator.update({ where: { code: 'other' }, data: { launchedOnly: false } });
  }
});

test('a wallet that fails is one warning in the log, not one for each request, and stands in the detail of the round', async () => {
  await addSeamlessOperator(server.db, { code: 'failing', url: other.url });
  const sessions = await Promise.all(Array.from({ length: 4 }, () => sessionOf('failing')));
  other.next('/debit', { kind: 'answer', status: 502, text: '<h1>Bad Gateway</h1>' }, 4);
  other.next('/rollback', { kind: 'refuse', code: 'ERR_MAINTENANCE' }, 1000);
  for (const sessionID of sessions) expectError(await play(sessionID), 500, 'ERR_GEN');
  const warnings = server.logLines
    .map((line) => JSON.parse(line))
    .filter(({ operator, route }) => operator === 'failing' && route === 'debit');
  expect(warnings).toMatchObject([
    { level: 40, response: 'status 502 without a code', msg: 'the wallet of an operator fails' },
  ]);
  const { id } = await server.db.round.findFirstOrThrow({ orderBy: { id: 'desc' } });
  const operator = operatorClient(server.url, { code: 'failing', secret: SECRET });
  await vi.waitFor(async () => {
    const { body } = await operator.round(Number(id));
    expect(body.movements).toMatchObject([
      { kind: 'debit', state: 'abandoned', lastResponse: 'status 502 without a code', nextAttemptAt: null },
      {
        kind: 'rollback',
        state: 'pending',
        lastResponse: 'ERR_MAINTENANCE',
        lastResponseAt: expect.any(String),
        nextAttemptAt: expect.any(String),
      },
    ]);
  }, 20_000);
  other.forget();
  await server.settled();
});
