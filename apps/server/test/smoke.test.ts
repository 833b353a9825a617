import { afterAll, beforeAll, expect, test } from 'vitest';
import { BOOK } from './support/fixtureGame.ts';
import { expectBooksBalance, startTestServer, type TestServer } from './support/testServer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('a round from launch to payout', async () => {
  const sessionID = await server.liveSession();
  const played = await server.playBook(sessionID, BOOK.pays150);
  expect(played.body.balance.amount).toBe(999_000_000);
  const ended = await server.post('/wallet/end-round', { sessionID });
  expect(ended.body.balance.amount).toBe(1_000_500_000);
  await expectBooksBalance(server.db);
});
