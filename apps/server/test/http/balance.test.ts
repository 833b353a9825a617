import { CURRENCY_CODES, parseLaunchUrl } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { BOOK } from '../support/fixtureGame.ts';
import { expectNothingChanged } from '../support/snapshot.ts';
import { OPENING, sessionInRound, UNIT, useTestServer } from '../support/testServer.ts';

const server = useTestServer();

describe('balance', () => {
  it('is what the player has now; asking for it changes nothing', async () => {
    const sessionID = await sessionInRound(server);
    await expectNothingChanged(server, async () => {
      for (const _poll of [1, 2, 3]) {
        const { body } = await server.post('/wallet/balance', { sessionID });
        expect(body).toEqual({ balance: { amount: OPENING - UNIT, currency: 'USD' } });
      }
    });
  });

  it.each([0, 100_000, 1_234_567, Number.MAX_SAFE_INTEGER])('of %d is sent exactly', async (balance) => {
    const sessionID = await server.liveSession({ balance });
    const { text } = await server.post('/wallet/balance', { sessionID });
    expect(text).toBe(`{"balance":{"amount":${balance},"currency":"USD"}}`);
  });

  it('ignores an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'k'.repeat(129) };
    const { status } = await server.post('/wallet/balance', { sessionID: await server.liveSession() }, headers);
    expect(status).toBe(200);
  });
});

it.each(CURRENCY_CODES)('%s is played in', async (currency) => {
  const { url, sessionID } = (await server.post('/session/start', { currency })).body;
  expect(parseLaunchUrl(url)).toMatchObject({ kind: 'play', currency });
  const entered = await server.post('/wallet/authenticate', { sessionID });
  expect(entered.body.balance).toEqual({ amount: OPENING, currency });
  const played = await server.playBook(sessionID, BOOK.pays150, { amount: 100 * UNIT, mode: 'Ante' });
  expect(played.body.balance).toEqual({ amount: OPENING - 125 * UNIT, currency });
  const ended = await server.post('/wallet/end-round', { sessionID });
  expect(ended.body.balance).toEqual({ amount: OPENING + 25 * UNIT, currency });
});
