import { expect, it } from 'vitest';
import { createRoundStops } from '../../src/play/roundStops.ts';
import { clientOf, sessionInRound, UNIT, useTestServer } from '../support/testServer.ts';

const server = useTestServer();

it('a node that is stopped opens no round and lets open ones end; other nodes go on', async () => {
  const inRound = await sessionInRound(server);
  const idle = await server.liveSession();
  const told: string[] = [];
  const roundStops = createRoundStops((reason) => told.push(reason));
  const node = await server.startNode({ roundStops, demo: true });
  const client = clientOf(node.url);
  const bet = { amount: UNIT, mode: 'BASE' };
  expect((await client.send('/readyz')).status).toBe(200);
  expect((await client.send('/metrics')).text).not.toContain('roundhouse_round_stops{');

  for (const reason of ['a test', 'a test', 'another']) roundStops.stop(reason);
  expect(told).toEqual(['a test', 'another']);
  const refused = { status: 500, body: { error: 'ERR_MAINTENANCE' } };
  expect(await client.post('/wallet/play', { sessionID: idle, ...bet })).toMatchObject(refused);
  expect(await client.post('/wallet/play', { sessionID: 'nobody', ...bet })).toMatchObject(refused);
  expect(await client.post('/wallet/play', 'no JSON')).toMatchObject(refused);
  const forFun = { game: 'fixture', version: '1.0.0', currency: 'USD', ...bet };
  expect(await client.post('/demo/play', forFun)).toMatchObject(refused);
  expect((await client.post('/wallet/authenticate', { sessionID: inRound })).body.round.active).toBe(true);
  expect((await client.post('/wallet/end-round', { sessionID: inRound })).status).toBe(200);
  const ready = await fetch(`${node.url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({ status: 'new rounds are stopped: a test, another' });
  expect((await client.send('/metrics')).text).toContain('roundhouse_round_stops{reason="a test"} 1');

  expect((await server.post('/wallet/play', { sessionID: idle, ...bet })).status).toBe(200);
  await node.close();
});
