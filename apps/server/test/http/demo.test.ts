import { demoConfigResponseSchema, demoPlayResponseSchema } from '@roundhouse/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../src/server.ts';
import { expectNothingChanged } from '../support/snapshot.ts';
import { UNIT, useTestServer } from '../support/testServer.ts';

const server = useTestServer();
let node: RunningServer;
beforeAll(async () => {
  node = await server.startNode({ demo: true });
});
afterAll(() => node.close());

const FIXTURE = { game: 'fixture', version: '1.0.0' };
const BET = { ...FIXTURE, currency: 'USD', amount: UNIT, mode: 'base' };

async function post(path: string, body: object, url = node.url) {
  const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
  const parsed: any = await response.json();
  return { status: response.status, body: parsed };
}

it('is off unless the server has it switched on', async () => {
  for (const [path, body] of [
    ['/demo/config', FIXTURE],
    ['/demo/play', BET],
  ] as const) {
    const refused = await post(path, body, server.url);
    expect(refused).toEqual({ status: 400, body: { error: 'ERR_VAL', message: 'fun mode is off on this server' } });
  }
});

it('has the config of the game for the currency', async () => {
  const sessionID = await server.newSession({ currency: 'JPY' });
  const { config } = (await server.post('/wallet/authenticate', { sessionID })).body;
  const { status, body } = await post('/demo/config', { ...FIXTURE, currency: 'JPY' });
  expect([status, demoConfigResponseSchema.parse(body)]).toEqual([200, { config, currency: 'JPY' }]);
  expect((await post('/demo/config', FIXTURE)).body.currency).toBe('USD');
});

it('draws books of the lookup table, and stores nothing', async () => {
  await expectNothingChanged(server, async () => {
    for (let time = 0; time < 20; time += 1) {
      const { status, body } = await post('/demo/play', BET);
      const { round } = demoPlayResponseSchema.parse(body);
      expect(status).toBe(200);
      expect(round).toMatchObject({ betID: 0, amount: UNIT, mode: 'BASE', active: true, event: null });
      expect(round.payout).toBe(Math.round(round.payoutMultiplier * UNIT));
      expect(round.state.length).toBeGreaterThan(0);
    }
  });
});

it.each<[object, string]>([
  [{ amount: 1 }, 'below the minimum'],
  [{ amount: UNIT + 1 }, 'not divisible'],
  [{ amount: 1_000_000 * UNIT }, 'above the maximum'],
  [{ mode: 'TURBO' }, 'no such mode'],
  [{ currency: 'DOGE' }, 'not offered in DOGE'],
  [{ version: '9' }, 'no such game'],
  [{ amount: -1 }, 'amount'],
])('refuses %j as play does', async (change, reason) => {
  const { status, body } = await post('/demo/play', { ...BET, ...change });
  expect([status, body.error]).toEqual([400, 'ERR_VAL']);
  expect(body.message).toContain(reason);
});
