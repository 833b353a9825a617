import { type ConfiguredCurrency, CURRENCY_CODES, parseLaunchUrl } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { BOOK } from '../../support/fixtureGame.ts';
import { expectNothingChanged } from '../../support/snapshot.ts';
import { OPENING, sessionInRound, UNIT, useTestServer } from '../../support/testServer.ts';

const BTC: ConfiguredCurrency = {
  ...{ code: 'BTC', kind: 'regular', symbol: '₿', symbolSide: 'before' },
  ...{ decimals: 8, wireUnitsPerUnit: 100 },
};
const server = useTestServer({ currencies: [BTC] });

describe('balance', () => {
  it('is what the player has now; reading it changes nothing', async () => {
    const sessionID = await sessionInRound(server);
    await expectNothingChanged(server, async () => {
      const { body } = await server.balance(sessionID);
      expect(body).toEqual({ balance: { amount: OPENING - UNIT, currency: 'USD' } });
    });
  });

  it.each([0, 100_000, 1_234_567, Number.MAX_SAFE_INTEGER])('of %d is sent exactly', async (balance) => {
    const { text } = await server.balance(await server.liveSession({ balance }));
    expect(text).toBe(`{"balance":{"amount":${balance},"currency":"USD"}}`);
  });

  it('ignores an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'k'.repeat(129) };
    const { status } = await server.post('/wallet/balance', { sessionID: await server.liveSession() }, headers);
    expect(status).toBe(200);
  });
});

// ISO 4217 alone knows GBP and KWD, and the settings of the server BTC.
it.each([...CURRENCY_CODES, 'GBP', 'KWD', 'BTC'])(
  '%s is played in, and described only if it is of the server',
  async (currency) => {
    const { url, sessionID } = (await server.post('/session/start', { currency })).body;
    expect(parseLaunchUrl(url)).toMatchObject({ kind: 'play', currency });
    const entered = await server.authenticate(sessionID);
    expect(entered.body.balance).toEqual({ amount: OPENING, currency });
    expect(entered.body.config.currency).toEqual(currency === 'BTC' ? BTC : undefined);
    const played = await server.playBook(sessionID, BOOK.pays150, { amount: 100 * UNIT, mode: 'Ante' });
    expect(played.body.balance).toEqual({ amount: OPENING - 125 * UNIT, currency });
    const ended = await server.endRound(sessionID);
    expect(ended.body.balance).toEqual({ amount: OPENING + 25 * UNIT, currency });
  },
);
