import { type ConfiguredCurrency, parseLaunchUrl } from '@roundhouse/contract';
import { expect, it } from 'vitest';
import { BOOK } from '../support/fixtureGame.ts';
import { OPENING, UNIT, useTestServer } from '../support/testServer.ts';

const BTC: ConfiguredCurrency = {
  code: 'BTC',
  kind: 'regular',
  symbol: '₿',
  decimals: 8,
  symbolSide: 'before',
  wireUnitsPerUnit: 100,
};
const server = useTestServer({ currencies: [BTC] });

it.each(['GBP', 'KWD', 'BTC'])('%s is played in, by the default limits of the game', async (currency) => {
  const { url, sessionID } = (await server.post('/session/start', { currency })).body;
  expect(parseLaunchUrl(url)).toMatchObject({ kind: 'play', currency });
  const entered = await server.post('/wallet/authenticate', { sessionID });
  expect(entered.body.balance).toEqual({ amount: OPENING, currency });
  const played = await server.playBook(sessionID, BOOK.pays150, { amount: UNIT });
  expect(played.body.balance).toEqual({ amount: OPENING - UNIT, currency });
});

it('authenticate describes the currency of the server, and no other', async () => {
  const configOf = async (currency: string) => {
    const { sessionID } = (await server.post('/session/start', { currency })).body;
    return (await server.post('/wallet/authenticate', { sessionID })).body.config;
  };
  expect((await configOf('BTC')).currency).toEqual(BTC);
  for (const currency of ['USD', 'GBP']) expect(await configOf(currency)).not.toHaveProperty('currency');
});

it('a code that the server does not know is refused', async () => {
  const { status, body } = await server.post('/session/start', { currency: 'DOGE' });
  expect([status, body.error]).toEqual([400, 'ERR_VAL']);
  expect(body.message).toContain('not offered');
});
