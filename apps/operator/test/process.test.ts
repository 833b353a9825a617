import { type ChildProcess, fork } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openClient } from '@roundhouse/service';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startOperator } from '../src/operator.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { type FakeRgs, startFakeRgs } from './support/fakeRgs.ts';
import { openStream } from './support/http.ts';
import { optionsFor, requestsTo, SECRET } from './support/testOperator.ts';
import { expectResult, playerRequests } from './support/walletClient.ts';

const PROGRAM = fileURLToPath(new URL('../bin/operator.js', import.meta.url));

let database: TestDatabase;
let rgs: FakeRgs;
const started: ChildProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  rgs = await startFakeRgs(SECRET);
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await rgs.close();
  await database.drop();
});

type Process = ReturnType<typeof start>;

function start(changes: Record<string, string | undefined> = {}, args: readonly string[] = []) {
  const child = fork(PROGRAM, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      ROUNDHOUSE_OPERATOR_SECRET: SECRET,
      ROUNDHOUSE_OPERATOR_RGS_URL: rgs.url,
      ROUNDHOUSE_OPERATOR_LISTEN_PORT: '0',
      ROUNDHOUSE_OPERATOR_BENCH: '1',
      ...changes,
    },
  });
  started.push(child);
  const texts = [child.stdout, child.stderr].map((stream) => text(stream as Readable));
  const exited: Promise<number | null> = once(child, 'exit').then(([code]) => code);
  return { child, exited, output: Promise.all(texts).then((parts) => parts.join('')) };
}

/** Returns the URL of the ready process. */
async function ready({ child, output }: Process): Promise<string> {
  const failed = output.then((printed) => {
    throw new Error(printed);
  });
  const [message] = await Promise.race([once(child, 'message'), failed]);
  expect(message).toEqual({ ready: true, url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  return message.url;
}

it('shows which games its parent is building', async () => {
  const operator = start();
  const url = await ready(operator);
  const game = { title: 'A game', text: 'being built, 20 s' };
  operator.child.send({ beingBuilt: [game, { title: 'The documents', text: 'being built, 40 s', page: 'docs' }] });
  const beingBuilt = async () => (await requestsTo(url).api('GET', '/lobby')).body.beingBuilt;
  await expect.poll(beingBuilt).toEqual([game]);
  operator.child.send({ beingBuilt: [] });
  await expect.poll(beingBuilt).toEqual([]);
});

it('it reports when it is ready; SIGTERM finishes the requests in flight and ends with 0', async () => {
  const operator = start();
  const url = await ready(operator);
  const player = await requestsTo(url).newPlayer();
  const stream = await openStream(`${url}/api/players/${player.playerID}/statement/stream?currency=USD`);

  // A lock from outside keeps the debit in flight.
  const holder = await openClient(database.url);
  await holder.query('BEGIN; SELECT 1 FROM reference_operator.accounts FOR UPDATE');
  const inFlight = player.debit(player.newBet(), 1);
  await waitForLock(holder);
  operator.child.kill('SIGTERM');
  expect(await stream.next()).toBeUndefined();
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  await holder.query('COMMIT');
  await holder.end();
  expect((await inFlight).status).toBe(200);
  expect([await operator.exited, await operator.output]).toEqual([0, `Operator: ${url}\n`]);
});

async function waitForLock(client: { query(sql: string): Promise<{ rows: unknown[] }> }): Promise<void> {
  for (;;) {
    // A transaction sees the activity of its first look.
    await client.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await client.query(
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND starts_with(application_name, 'roundhouse-operator')",
    );
    if (rows.length > 0) return;
  }
}

it('after SIGKILL it still has every debit that it accepted', async () => {
  const first = start();
  const player = await requestsTo(await ready(first)).newPlayer();
  const bet = player.newBet();
  const response = await player.debit(bet, 1);
  expect(response.status).toBe(200);
  first.child.kill('SIGKILL');
  await first.exited;
  const { wallet } = requestsTo(await ready(start()));
  expect(await playerRequests(wallet, player).debit(bet, 1)).toEqual(response);
});

it('it ends with the process that started it', async () => {
  const operator = start();
  await ready(operator);
  operator.child.disconnect();
  expect(await operator.exited).toBe(0);
});

it.each([
  ['DATABASE_URL', undefined],
  ['ROUNDHOUSE_OPERATOR_SECRET', ''],
  ['ROUNDHOUSE_OPERATOR_SECRET', '-----BEGIN PRIVATE KEY-----'],
  ['ROUNDHOUSE_OPERATOR_SECRET', 'one-of-three,two-of-three,three-of-three'],
  ['ROUNDHOUSE_OPERATOR_RGS_URL', 'http://127.0.0.1:4000/\n'],
  ['ROUNDHOUSE_OPERATOR_LISTEN_PORT', '70000'],
  ['ROUNDHOUSE_OPERATOR_CODE', 'Upper:Case'],
  ['ROUNDHOUSE_OPERATOR_BENCH', 'perhaps'],
  ['ROUNDHOUSE_OPERATOR_LOG_LEVEL', 'loud'],
  ['ROUNDHOUSE_OPERATOR_BLOCKED_COUNTRIES', 'Finland'],
])('%s=%s is one line without the secret', async (variable, value) => {
  const operator = start({ [variable]: value });
  expect(await operator.exited).toBe(1);
  const output = await operator.output;
  expect(output).toMatch(new RegExp(`^.*${variable}.*\n$`));
  expect(output).not.toContain('of-three');
});

it.each([
  ['--dialect', 'hub88', '--dialect-settings', 'keys.json'],
  ['--dialect', 'engine'],
  ['--dialect', 'engine', '--dialect-settings', 'no-such-file.json'],
  ['--port', '4001'],
])('%s %s is one line', async (...args) => {
  const operator = start({}, args);
  expect(await operator.exited).toBe(1);
  expect(await operator.output).toMatch(/^.*--\w+.*\n$/);
});

it('a key of another kind is one line without the key', async () => {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-operator-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'keys.json');
  await writeFile(file, JSON.stringify({ privateKey, rgsPublicKey: 'no key' }));
  const operator = start({}, ['--dialect', 'engine', '--dialect-settings', file]);
  expect(await operator.exited).toBe(1);
  expect(await operator.output).toBe(`--dialect-settings ${file}: privateKey: must be an Ed25519 key, as PEM text\n`);
});

it('a port in use is one line too', async () => {
  const { port } = new URL(await ready(start()));
  const second = start({ ROUNDHOUSE_OPERATOR_LISTEN_PORT: port });
  expect(await second.exited).toBe(1);
  expect(await second.output).toMatch(
    /^Port \d+ on 127\.0\.0\.1 is in use\. Choose another with ROUNDHOUSE_OPERATOR_LISTEN_PORT\.\n$/,
  );
});

it('without its database the wallet is uncertain, and the process goes on', async () => {
  const lost = await createTestDatabase();
  const operator = await startOperator(optionsFor(lost, rgs));
  const { newPlayer, api } = requestsTo(operator.url);
  const player = await newPlayer();
  await lost.drop();

  const bet = player.newBet();
  for (const response of [await player.debit(bet), await player.credit(bet), await player.rollback(bet)]) {
    expectResult(response, 'ERR_UE');
  }
  const statement = await api('GET', `/players/${player.playerID}/statement`);
  expect(statement).toMatchObject({ status: 500, body: { error: 'ERR_GEN' } });
  expect((await fetch(`${operator.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${operator.url}/healthz`)).status).toBe(200);
  await operator.close();
});
