import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openClient } from '@roundhouse/service';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { openStream } from './support/eventStream.ts';
import { type FakeRgs, startFakeRgs } from './support/fakeRgs.ts';
import { playerCalls, walletClient } from './support/walletClient.ts';

const PROGRAM = fileURLToPath(new URL('../bin/operator.js', import.meta.url));
const SECRET = 'a-secret-of-the-process';

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

type Process = { child: ChildProcess; output: () => string; exited: Promise<{ code: number | null }> };

function start(changes: Record<string, string | undefined> = {}): Process {
  const child = fork(PROGRAM, {
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
  let output = '';
  const ends = [child.stdout, child.stderr].map((stream) => {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
    return stream && once(stream, 'end');
  });
  // Not `close`, which does not come when it is the parent that has closed the channel.
  const exited = Promise.all([once(child, 'exit'), ...ends]).then(([[code]]) => ({ code }));
  return { child, output: () => output, exited };
}

async function ready({ child, exited, output }: Process): Promise<string> {
  const [message] = await Promise.race([
    once(child, 'message'),
    exited.then(() => {
      throw new Error(output());
    }),
  ]);
  expect(message).toEqual({ ready: true, url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  return message.url;
}

async function post(url: string, body: unknown, method = 'POST'): Promise<any> {
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

async function newPlayer(url: string) {
  const player = { playerID: randomUUID(), gameID: 'sample', currency: 'USD' };
  await post(`${url}/api/players`, player);
  const { sessionID } = await post(`${url}/api/launch`, player);
  return playerCalls(walletClient(url, SECRET), { ...player, sessionID });
}

test('it says when it is ready, and SIGTERM lets what is in flight finish and ends with 0', async () => {
  const operator = start();
  const url = await ready(operator);
  expect(operator.output()).toBe(`Operator: ${url}\n`);
  const player = await newPlayer(url);
  const stream = await openStream(`${url}/api/players/${player.playerID}/statement/stream?currency=USD`);

  // The account is held from outside, so that the debit is in flight for as long as we say.
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
  expect(await operator.exited).toEqual({ code: 0 });
});

async function waitForLock(client: { query(sql: string): Promise<{ rows: unknown[] }> }): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'roundhouse-operator'",
    );
    if (rows.length > 0) return;
  }
}

test('killed at once, it forgets nothing that it has answered', async () => {
  const first = start();
  const player = await newPlayer(await ready(first));
  const bet = player.newBet();
  const { body } = await player.debit(bet, 1);
  first.child.kill('SIGKILL');
  await first.exited;
  const wallet = walletClient(await ready(start()), SECRET);
  const again = await playerCalls(wallet, player).debit(bet, 1);
  expect(again).toMatchObject({ status: 200, body });
});

test('it ends with the process that started it', async () => {
  const operator = start();
  await ready(operator);
  operator.child.disconnect();
  expect(await operator.exited).toEqual({ code: 0 });
});

test('what is wrong in the environment is one line, without the secret', async () => {
  const faults: [variable: string, value: string | undefined][] = [
    ['DATABASE_URL', undefined],
    ['ROUNDHOUSE_OPERATOR_SECRET', ''],
    ['ROUNDHOUSE_OPERATOR_SECRET', 'one-of-three,two-of-three,three-of-three'],
    ['ROUNDHOUSE_OPERATOR_RGS_URL', 'no address'],
    ['ROUNDHOUSE_OPERATOR_LISTEN_PORT', '70000'],
    ['ROUNDHOUSE_OPERATOR_CODE', 'Upper:Case'],
    ['ROUNDHOUSE_OPERATOR_BENCH', 'perhaps'],
    ['ROUNDHOUSE_OPERATOR_LOG_LEVEL', 'loud'],
    ['ROUNDHOUSE_OPERATOR_BLOCKED_COUNTRIES', 'Finland'],
  ];
  for (const [variable, value] of faults) {
    const operator = start({ [variable]: value });
    expect(await operator.exited, variable).toEqual({ code: 1 });
    expect(operator.output()).toMatch(new RegExp(`^.*${variable}.*\n$`));
    expect(operator.output()).not.toContain('of-three');
  }
});

test('a port that is taken is one line too', async () => {
  const { port } = new URL(await ready(start()));
  const second = start({ ROUNDHOUSE_OPERATOR_LISTEN_PORT: port });
  expect(await second.exited).toEqual({ code: 1 });
  expect(second.output()).toMatch(
    /^Port \d+ on 127\.0\.0\.1 is in use\. Choose another with ROUNDHOUSE_OPERATOR_LISTEN_PORT\.\n$/,
  );
});
