import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Failpoint } from '../../../src/rounds/wallets/seamless/transactionSender.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { useSeamlessServer } from '../../support/seamlessServer.ts';
import { expectRefusal } from '../../support/snapshot.ts';
import { type TestServer, UNIT } from '../../support/testServer.ts';

// The database commits, and its response is lost: the same batch is sent again.

const LIMITS = { connectMs: 5_000, statementMs: 5_000, silenceMs: 500, awayMs: 10_000 };

const server = useSeamlessServer({ limits: LIMITS, proxied: true });
let node: Awaited<ReturnType<TestServer['startNode']>>;
let loseAt: Failpoint | undefined;

beforeAll(async () => {
  const failpoint = (name: Failpoint) => {
    if (name === loseAt) server.proxy.loseResponses();
  };
  node = await server.startNode({ failpoint });
});
afterEach(() => {
  loseAt = undefined;
});
afterAll(() => node.close());

const play = (sessionID: string) => node.play(sessionID, { mode: 'AUTO' });

it('opens one round of a player of an operator, and sends its debit once', async () => {
  const sessionID = await server.seamlessSession();
  await play(sessionID);
  await server.endRound(sessionID);
  const before = await server.db.round.count();
  server.proxy.loseResponses();
  expect((await play(sessionID)).status).toBe(200);
  expect(await server.db.round.count()).toBe(before + 1);
  expect(server.wallet.callsTo('/debit')).toHaveLength(2);
});

it('stores a debit as accepted, and the player gets the round', async () => {
  const sessionID = await server.seamlessSession();
  loseAt = 'debit_responded';
  const { status, body } = await play(sessionID);
  expect(status).toBe(200);
  const round = await server.db.round.findUniqueOrThrow({ where: { id: BigInt(body.round.betID) } });
  expect(round.walletState).toBe(body.round.active ? 'debited' : 'credited');
});

it('stores a debit as refused, and the player gets the refusal', async () => {
  const sessionID = await server.seamlessSession();
  server.wallet.next('/debit', { kind: 'refuse', code: 'ERR_IPB' });
  loseAt = 'debit_responded';
  expectRefusal(await play(sessionID), 'ERR_IPB');
});

it('stores an event once, and closes a round once', async () => {
  const sessionID = await server.liveSession();
  const opened = await server.playBook(sessionID, BOOK.pays150);
  server.proxy.loseResponses();
  expect((await server.record(sessionID, 'picked:1')).status).toBe(200);
  expect(await server.db.roundEvent.count({ where: { roundId: BigInt(opened.body.round.betID) } })).toBe(1);
  server.proxy.loseResponses();
  const ended = await server.endRound(sessionID);
  expect(ended.body.balance.amount).toBe(opened.body.balance.amount + 1.5 * UNIT);
});
