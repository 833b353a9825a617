import { once } from 'node:events';
import net from 'node:net';
import { type FakeWallet, OPENING_BALANCE, startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { disableOperator } from '../../../src/store/operators/operators.ts';
import { launchBody, operatorClient } from '../../operators/api/operatorClient.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { gate } from '../../support/gate.ts';
import { addSeamlessOperator, playerOf, SECRET, useSeamlessServer } from '../../support/seamlessServer.ts';
import { expectRefusal } from '../../support/snapshot.ts';
import { UNIT } from '../../support/testServer.ts';

const server = useSeamlessServer();
let other: FakeWallet;

beforeAll(async () => {
  other = await startFakeWallet({ anyPlayer: true, secret: SECRET });
});
afterAll(() => other.close());
beforeEach(() => other.forget());

const DOWN = 'the wallet of the operator does not respond; no money moved';
const apiOf = (code: string) => operatorClient(server.url, { code, secret: SECRET });
/** Changes of an operator reach the server within a second, and a rest takes two. */
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 100_000 });

/** Adds an operator for one test, at the other wallet: no earlier test has brought it a rest. */
async function addOperator(
  code: string,
  { timeoutMs = 60_000 } = {},
): Promise<{ unseen(): string; session(): Promise<string> }> {
  await addSeamlessOperator(server.db, { code, url: other.url, timeoutMs });
  const unseen = () => server.freshSession(undefined, code);
  return {
    unseen,
    async session() {
      const sessionID = unseen();
      expect((await server.authenticate(sessionID)).status).toBe(200);
      return sessionID;
    },
  };
}

/** Plays whole rounds, one after the other, until the other work is done. Returns how many. */
async function playUntil(work: Promise<unknown>, sessionID: string): Promise<number> {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  let rounds = 0;
  while (!isOver || rounds === 0) {
    expect((await server.play(sessionID)).status).toBe(200);
    expect((await server.endRound(sessionID)).status).toBe(200);
    rounds += 1;
  }
  return rounds;
}

it('players play on while the wallet of another operator hangs', async () => {
  const { session } = await addOperator('hanging');
  const stuck = await Promise.all(Array.from({ length: 8 }, session));
  const lively = await server.seamlessSession();
  const mayRespond = gate();
  other.next('/debit', { kind: 'before', run: () => mayRespond.opened }, 8);
  let played = 0;
  const waiting = stuck.map(async (each) => {
    const { status } = await server.play(each);
    played += 1;
    return status;
  });
  await expect.poll(() => other.callsTo('/debit').length).toBeGreaterThan(0);
  for (let round = 0; round < 3; round += 1) {
    expect((await server.play(lively)).status).toBe(200);
    expect((await server.endRound(lively)).status).toBe(200);
  }
  expect(played).toBe(0);
  mayRespond.open();
  expect(await Promise.all(waiting)).toEqual(Array(8).fill(200));
});

it('a wallet that fails ten times in a row gets no debit for a while, and no round is opened', async () => {
  const { session } = await addOperator('down');
  const sessions = await Promise.all(Array.from({ length: 11 }, session));
  const last = sessions[10] ?? '';
  const winner = await session();
  await server.playBook(winner, BOOK.pays150);
  other.next('/debit', { kind: 'cut', done: false }, 1000);
  other.next('/rollback', { kind: 'cut', done: false }, 1000);
  for (const sessionID of sessions.slice(0, 10)) expectRefusal(await server.play(sessionID), 'ERR_GEN');
  const { id: playerId } = await server.db.player.findFirstOrThrow({ where: { externalId: playerOf(last) } });
  const rounds = () => server.db.round.count({ where: { playerId } });
  await eventually(async () => {
    const before = await rounds();
    const { body, headers } = await server.play(last);
    expect(body).toEqual({ error: 'ERR_GEN', message: DOWN });
    expect(headers.get('retry-after')).toBe('2');
    expect(await rounds()).toBe(before);
    expect((await server.endRound(winner)).headers.get('retry-after')).toBe('2');
  });
  // A bet that breaks the rules comes first in the order of refusals.
  expectRefusal(await server.play(last, { amount: 1 }), 'ERR_VAL');
  other.forget();
  await eventually(async () => expect((await server.play(last)).status).toBe(200));
  await server.settled();
});

it('a debit that found no connection is refused, without a rollback', async () => {
  const { session } = await addOperator('silent');
  const sessionID = await session();
  const silent = net.createServer((socket) => void socket.on('error', () => {}));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const walletUrl = `https://127.0.0.1:${(silent.address() as net.AddressInfo).port}`;
  await server.db.operator.update({ where: { code: 'silent' }, data: { walletUrl, walletTimeoutMs: 2_000 } });
  await eventually(async () => expectRefusal(await server.balance(sessionID), 'ERR_GEN'));
  expect((await server.play(sessionID)).body.message).toBe(DOWN);
  const { id } = await server.db.round.findFirstOrThrow({ orderBy: { id: 'desc' } });
  expect(await server.transactionsOf(Number(id))).toMatchObject([
    { kind: 'debit', state: 'refused', resultCode: 'not_sent', httpStatus: null },
  ]);
  silent.close();
});

it('at a disabled operator nobody plays, enters or is launched; what is owed is paid, and enabling ends it', async () => {
  const { session, unseen } = await addOperator('disabled');
  const [sessionID, newcomer, api] = [await session(), unseen(), apiOf('disabled')];
  const { betID } = (await server.playBook(sessionID, BOOK.pays150)).body.round;
  other.next('/credit', { kind: 'refuse', code: 'ERR_UE' });
  expectRefusal(await server.endRound(sessionID), 'ERR_GEN');
  other.forget();

  await disableOperator(server.db, { code: 'disabled', disabled: true });
  const { authenticate, balance, play, endRound } = server;
  for (const ask of [authenticate, balance, play, endRound]) expectRefusal(await ask(sessionID), 'ERR_MAINTENANCE');
  expectRefusal(await authenticate(newcomer), 'ERR_MAINTENANCE');
  expectRefusal(await api.launch(launchBody()), 'ERR_VAL');
  expect(other.callsTo('/authenticate').map((body) => body.sessionID)).not.toContain(newcomer);
  expect((await server.play(await server.seamlessSession())).status).toBe(200);
  await server.hurry();
  await eventually(async () => expect((await api.round(betID)).body.state).toBe('settled'));
  expect(other.balanceOf(playerOf(sessionID))).toBe(OPENING_BALANCE + UNIT / 2);

  await disableOperator(server.db, { code: 'disabled', disabled: false });
  expect((await api.launch(launchBody())).status).toBe(200);
  await eventually(async () => expect((await server.authenticate(sessionID)).status).toBe(200));
  expect((await server.play(sessionID)).status).toBe(200);
});

it('sessions that anybody can invent take no connection from players, and open no breaker for them', async () => {
  const { session, unseen } = await addOperator('flooded', { timeoutMs: 2_000 });
  const lively = await session();
  other.next('/authenticate', { kind: 'hang', done: false }, 1000);
  const flood = Promise.all(Array.from({ length: 140 }, () => server.authenticate(unseen())));
  await playUntil(flood, lively);
  for (const response of await flood) expectRefusal(response, 'ERR_GEN');
  expect(other.callsTo('/authenticate').length).toBeLessThanOrEqual(40);
  expect((await server.play(lively)).status).toBe(200);
});

it('a sessionID that no operator can have stored is unknown, and its wallet gets no request', async () => {
  const { unseen } = await addOperator('storing');
  other.forget();
  expectRefusal(await server.authenticate(`${unseen()}\u0000`), 'ERR_IS');
  expect(other.callsTo('/authenticate')).toEqual([]);
});

it('an operator that takes launched sessions only gets no request about any other', async () => {
  const { unseen } = await addOperator('launching');
  await server.db.operator.update({ where: { code: 'launching' }, data: { launchedOnly: true } });
  const [invented, launched] = [unseen(), unseen()];
  expectRefusal(await server.authenticate(invented), 'ERR_IS');
  expect(other.callsTo('/authenticate')).toEqual([]);
  expect((await apiOf('launching').launch(launchBody({ sessionID: launched }))).status).toBe(200);
  expect((await server.authenticate(launched)).status).toBe(200);
});

it('a wallet that fails is in the log once, and in the detail of the round', async () => {
  const { session } = await addOperator('failing');
  const sessions = await Promise.all([session(), session()]);
  other.next('/debit', { kind: 'response', status: 502, text: '<h1>Bad Gateway</h1>' }, 2);
  other.next('/rollback', { kind: 'refuse', code: 'ERR_MAINTENANCE' }, 1000);
  for (const sessionID of sessions) expectRefusal(await server.play(sessionID), 'ERR_GEN');
  const warnings = server.logged().filter(({ operator, route }) => operator === 'failing' && route === 'debit');
  const lastResponse = 'status 502 without a code';
  expect(warnings).toMatchObject([{ response: lastResponse, msg: 'the wallet of an operator fails' }]);
  const { id } = await server.db.round.findFirstOrThrow({ orderBy: { id: 'desc' } });
  const time = expect.any(String);
  const movements = [
    { kind: 'debit', state: 'abandoned', lastResponse, nextAttemptAt: null },
    { kind: 'rollback', state: 'pending', lastResponse: 'ERR_MAINTENANCE', lastResponseAt: time, nextAttemptAt: time },
  ];
  const shown = async () => (await apiOf('failing').round(Number(id))).body.movements;
  await eventually(async () => expect(await shown()).toMatchObject(movements));
  other.forget();
  await server.settled();
});
