import { createCryptoRandom, type Random64 } from '@roundhouse/math';
import { expect, it, onTestFinished } from 'vitest';
import { createRoundStops } from '../../../src/rounds/sessions/roundStops.ts';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import { expectRefusal } from '../../support/snapshot.ts';
import { BET, type GameClient, sessionInRound, type TestServer, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();

async function startNode(options: Parameters<TestServer['startNode']>[0]) {
  const node = await server.startNode(options);
  onTestFinished(node.close);
  return node;
}
const textOf = async (node: GameClient, path: string) => (await node.send(path)).text;

/** Expects that the node opens no round, by any endpoint, and lets open ones end. */
async function expectStopped(node: GameClient, { inRound, idle }: { inRound: string; idle: string }) {
  for (const body of [{ sessionID: idle, ...BET }, { sessionID: 'nobody', ...BET }, 'no JSON'])
    expectRefusal(await node.post('/wallet/play', body), 'ERR_MAINTENANCE');
  const forFun = { game: 'fixture', version: '1.0.0', currency: 'USD', ...BET };
  expectRefusal(await node.post('/demo/play', forFun), 'ERR_MAINTENANCE');
  expect((await node.roundOf(inRound)).active).toBe(true);
  expect((await node.endRound(inRound)).status).toBe(200);
}
const players = async () => ({ inRound: await sessionInRound(server), idle: await server.liveSession() });

it('a node that is stopped opens no round and lets open ones end; other nodes go on', async () => {
  const told: string[] = [];
  const roundStops = createRoundStops((reason) => told.push(reason));
  const node = await startNode({ roundStops, demo: true });
  expect((await node.send('/readyz')).status).toBe(200);
  expect(await textOf(node, '/metrics')).not.toContain('roundhouse_round_stops{');

  for (const reason of ['a test', 'a test', 'another']) roundStops.stop(reason);
  expect(told).toEqual(['a test', 'another']);
  const sessions = await players();
  await expectStopped(node, sessions);
  const ready = await fetch(`${node.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'new rounds are stopped: a test, another' }]);
  expect(await textOf(node, '/metrics')).toContain('roundhouse_round_stops{reason="a test"} 1');
  expect((await server.play(sessions.idle)).status).toBe(200);
});

/** Returns fresh numbers with a change. */
function changed(change: (words: Uint32Array) => void): Random64 {
  const random = createCryptoRandom();
  return (into) => {
    random(into);
    change(into);
  };
}

/** Returns the same 4,096 bytes again and again. */
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
/** Only the lowest byte is biased, as little as one output of 30. */
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
  const [lines, before] = [server.logLines.length, (await listEvents(server.db, { kind: 'random_failed' })).length];
  const node = await startNode({ random, demo: true });
  await expectStopped(node, await players());
  expect(await textOf(node, '/metrics')).toContain('roundhouse_random_tests_total{result="failed"} 1');
  expect(await (await fetch(`${node.url}/readyz`)).json()).toEqual({
    status: 'new rounds are stopped: the random number generator failed a health test',
  });
  const logged = server.logged().slice(lines);
  expect(logged).toContainEqual(expect.objectContaining({ level: 50, issue: expect.stringMatching(issue) }));
  const failures = (await listEvents(server.db, { kind: 'random_failed' })).slice(before);
  expect(failures.map(({ after }) => JSON.parse(after ?? ''))).toEqual([{ issue: expect.stringMatching(issue) }]);
});

it('a source that breaks later stops rounds at the next test; the draws use the source that is tested', async () => {
  const sound = createCryptoRandom();
  let isBroken = false;
  const random: Random64 = (into) => (isBroken ? into.fill(0xffff_ffff) : sound(into));
  const node = await startNode({ random, randomTestMs: 50 });
  const sessionID = await server.liveSession();
  expect((await node.play(sessionID)).status).toBe(200);
  await node.endRound(sessionID);
  await expect.poll(() => textOf(node, '/metrics')).toMatch(/random_tests_total{result="passed"} [2-9]/);
  expect((await node.send('/readyz')).status).toBe(200);
  isBroken = true;
  await expect.poll(() => node.play('nobody')).toMatchObject({ status: 500, body: { error: 'ERR_MAINTENANCE' } });
});
