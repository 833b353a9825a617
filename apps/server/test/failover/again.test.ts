import { startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Failpoint } from '../../src/wallets/seamless/transactionSender.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { addSeamlessOperator, SECRET } from '../support/seamlessServer.ts';
import { startSilentProxy } from '../support/silentProxy.ts';
import { expectRefusal } from '../support/snapshot.ts';
import {
  clientOf,
  expectBooksBalance,
  type GameClient,
  startTestServer,
  type TestServer,
  UNIT,
} from '../support/testServer.ts';

// The database commits, and its response is lost: the same batch is sent again.

const LIMITS = { connectMs: 5_000, statementMs: 5_000, silenceMs: 500 };

let proxy: Awaited<ReturnType<typeof startSilentProxy>>;
let wallet: Awaited<ReturnType<typeof startFakeWallet>>;
let server: TestServer;
let node: GameClient & { close(): Promise<void> };
let loseAt: Failpoint | undefined;
let sessions = 0;

beforeAll(async () => {
  const databaseBy = async (url: string) => {
    proxy = await startSilentProxy(url);
    return proxy.url;
  };
  server = await startTestServer({ limits: LIMITS, databaseBy });
  wallet = await startFakeWallet({ anyPlayer: true, secret: SECRET });
  await addSeamlessOperator(server.db, { code: 'acme', url: wallet.url });
  const failpoint = (name: Failpoint) => {
    if (name === loseAt) proxy.loseResponses();
  };
  const { url, close } = await server.startNode({ failpoint });
  node = { ...clientOf(url), close };
});
afterEach(() => {
  loseAt = undefined;
});
afterAll(async () => {
  await expectBooksBalance(server.db);
  await node.close();
  await server.close();
  await Promise.all([proxy.close(), wallet.close()]);
});

async function seamlessSession(): Promise<string> {
  sessions += 1;
  const sessionID = `acme:again:player-${sessions}`;
  expect((await node.post('/wallet/authenticate', { sessionID })).status).toBe(200);
  return sessionID;
}

const play = (sessionID: string, mode = 'AUTO') => node.post('/wallet/play', { sessionID, amount: UNIT, mode });
const debitsOf = (sessionID: string) => wallet.callsTo('/debit').filter((call) => call.sessionID === sessionID);

it('opens one round of a player of an operator, and sends its debit once', async () => {
  const sessionID = await seamlessSession();
  await play(sessionID);
  await node.post('/wallet/end-round', { sessionID });
  const before = await server.db.round.count();
  proxy.loseResponses();
  expect((await play(sessionID)).status).toBe(200);
  expect(await server.db.round.count()).toBe(before + 1);
  expect(debitsOf(sessionID)).toHaveLength(2);
});

it('stores a debit as accepted, and the player gets the round', async () => {
  const sessionID = await seamlessSession();
  loseAt = 'debit_responded';
  const { status, body } = await play(sessionID);
  expect(status).toBe(200);
  const round = await server.db.round.findUniqueOrThrow({ where: { id: BigInt(body.round.betID) } });
  expect(round.walletState).toBe(body.round.active ? 'debited' : 'credited');
});

it('stores a debit as refused, and the player gets the refusal', async () => {
  const sessionID = await seamlessSession();
  wallet.next('/debit', { kind: 'refuse', code: 'ERR_IPB' });
  loseAt = 'debit_responded';
  expectRefusal(await play(sessionID), 'ERR_IPB');
});

it('stores an event once, and closes a round once', async () => {
  const sessionID = await node.liveSession();
  const opened = await node.playBook(sessionID, BOOK.pays150);
  proxy.loseResponses();
  expect((await node.post('/bet/event', { sessionID, event: 'picked:1' })).status).toBe(200);
  expect(await server.db.roundEvent.count({ where: { roundId: BigInt(opened.body.round.betID) } })).toBe(1);
  proxy.loseResponses();
  const ended = await node.post('/wallet/end-round', { sessionID });
  expect(ended.body.balance.amount).toBe(opened.body.balance.amount + 1.5 * UNIT);
});
