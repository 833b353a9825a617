import { createCryptoRandom, type Random64 } from '@roundhouse/math';
import { expect, it } from 'vitest';
import { listEvents } from '../../src/ledger/queries/significantEvents.ts';
import { clientOf, sessionInRound, UNIT, useTestServer } from '../support/testServer.ts';

const server = useTestServer();

const bet = { amount: UNIT, mode: 'BASE' };
const refused = { status: 500, body: { error: 'ERR_MAINTENANCE' } };

/** Fresh numbers with a change. */
function changed(change: (words: Uint32Array) => void): Random64 {
  const random = createCryptoRandom();
  return (into) => {
    random(into);
    change(into);
  };
}

/** The same 4,096 bytes again and again. */
function repeating(): Random64 {
  const random = createCryptoRandom();
  const words = new Uint32Array(1_024);
  for (let at = 0; at < words.length; at += 2) random(words.subarray(at, at + 2));
  let next = 0;
  return (into) => {
    into.set(words.subarray(next, next + 2));
    next = (next + 2) % words.length;
  };
}

const stuck: Random64 = (into) => into.fill(0);
/** Only the lowest byte leans, as little as one output of 30. */
const biased = changed((words) => {
  if (Math.random() < 1 / 30) words[1] = (words[1] as number) & 0xffff_ff00;
});
const silent: Random64 = () => {
  throw new Error('no entropy');
};

it.each([
  ['is stuck', stuck, /^repetition count test: 9 equal bytes/],
  ['is biased', biased, /^chi-square test of raw bytes|^fixture\/1.0.0 BASE: chi-square test of draws/],
  ['repeats itself', repeating(), /^duplicate test/],
  ['gives nothing', silent, /^no numbers: Error: no entropy/],
])('a node whose source %s starts, opens no round, and lets open ones end', async (_what, random, issue) => {
  const inRound = await sessionInRound(server);
  const idle = await server.liveSession();
  const [lines, { length: before }] = [server.logLines.length, await listEvents(server.db)];
  const node = await server.startNode({ random });
  const client = clientOf(node.url);
  expect(await client.post('/wallet/play', { sessionID: idle, ...bet })).toMatchObject(refused);
  expect((await client.post('/wallet/end-round', { sessionID: inRound })).status).toBe(200);
  const ready = await fetch(`${node.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'new rounds are stopped: the random number generator failed a health test' },
  ]);
  const metrics = (await client.send('/metrics')).text;
  expect(metrics).toContain('roundhouse_random_tests_total{result="failed"} 1');
  expect(metrics).toContain('roundhouse_round_stops{reason="the random number generator failed a health test"} 1');
  const logged = server.logLines.slice(lines).map((line) => JSON.parse(line));
  expect(logged).toContainEqual(expect.objectContaining({ level: 50, issue: expect.stringMatching(issue) }));
  const events = (await listEvents(server.db)).slice(before);
  const failures = events.filter(({ kind }) => kind === 'random_failed');
  expect(failures).toHaveLength(1);
  expect(JSON.parse(failures[0]?.after ?? '')).toEqual({ issue: expect.stringMatching(issue) });
  await node.close();
});

it('a source that breaks later stops rounds at the next test; the draws use the source that is tested', async () => {
  const sound = createCryptoRandom();
  let isBroken = false;
  const node = await server.startNode({
    random: (into) => (isBroken ? into.fill(0xffff_ffff) : sound(into)),
    randomTestMs: 50,
  });
  const client = clientOf(node.url);
  const sessionID = await server.liveSession();
  expect((await client.post('/wallet/play', { sessionID, ...bet })).status).toBe(200);
  await client.post('/wallet/end-round', { sessionID });
  await expect
    .poll(async () => (await client.send('/metrics')).text)
    .toMatch(/random_tests_total{result="passed"} [2-9]/);
  expect((await client.send('/readyz')).status).toBe(200);
  isBroken = true;
  await expect.poll(() => client.post('/wallet/play', { sessionID: 'nobody', ...bet })).toMatchObject(refused);
  await node.close();
});
