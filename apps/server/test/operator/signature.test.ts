import { gzipSync } from 'node:zlib';
import { OPERATOR_HEADER, SIGNATURE_HEADER, signBody, TIMESTAMP_HEADER } from '@roundhouse/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { wholeState } from '../support/wholeState.ts';
import {
  addHouseOperator,
  bytesOf,
  type Caller,
  launchBody,
  nowSeconds,
  type OperatorCall,
  operatorClient,
  send,
  signedHeaders,
} from './operatorClient.ts';

const server = useCheckedServer();

let caller: Caller;
let stranger: Caller;
let silent: Caller;
let sessionID: string;
/** One good call of each route. */
let calls: OperatorCall[];

beforeAll(async () => {
  caller = { code: 'house', secret: 'the secret of the house' };
  await server.db.operator.update({ where: { code: 'house' }, data: { secrets: [caller.secret] } });
  stranger = await addHouseOperator(server.db);
  silent = await addHouseOperator(server.db, { secrets: [] });
  sessionID = await server.liveSession();
  const { body } = await server.playBook(sessionID, BOOK.pays150);
  calls = [
    { method: 'GET', path: '/operator/games' },
    { method: 'POST', path: '/operator/sessions', body: launchBody() },
    { method: 'DELETE', path: `/operator/sessions/${sessionID}` },
    { method: 'GET', path: '/operator/rounds' },
    { method: 'GET', path: `/operator/rounds/${body.round.betID}` },
    { method: 'POST', path: `/operator/rounds/${body.round.betID}/void`, body: { reason: 'test' } },
  ];
});

async function everything() {
  return { ...(await wholeState(server)), launches: await server.db.launch.findMany() };
}

/** Every route with these headers: 401, a word why, and nothing has changed. */
async function expectAllRefused(headersOf: (call: OperatorCall) => Promise<Record<string, string>>, message?: string) {
  const before = await everything();
  for (const call of calls) {
    const answer = await send(server.url, { ...call, headers: await headersOf(call) });
    expect({ path: call.path, status: answer.status, error: answer.body?.error }).toEqual({
      path: call.path,
      status: 401,
      error: 'ERR_VAL',
    });
    expect(Object.keys(answer.body)).toEqual(['error', 'message']);
    if (message !== undefined) expect(answer.body.message).toBe(`the signature does not hold: ${message}`);
  }
  expect(await everything()).toEqual(before);
}

const signedAt = (by: Caller, seconds: number) => async (call: OperatorCall) => ({
  [OPERATOR_HEADER]: by.code,
  ...(await signBody(bytesOf(call.body), { secret: by.secret, nowSeconds: nowSeconds() + seconds })),
});

describe('every route answers 401, and nothing changes', () => {
  test('without headers', () => expectAllRefused(async () => ({}), 'missing'));

  test.each([OPERATOR_HEADER, TIMESTAMP_HEADER, SIGNATURE_HEADER])('without %s', (name) =>
    expectAllRefused(async (call) => {
      const headers: Record<string, string> = await signedHeaders(caller, call.body);
      delete headers[name];
      return headers;
    }, 'missing'),
  );

  test('for an operator that nobody knows, in the words of one whose secret did not sign', async () => {
    await expectAllRefused(signedAt({ ...caller, code: 'nobody' }, 0), 'not by any of the secrets');
    await expectAllRefused(signedAt({ ...caller, secret: 'another secret' }, 0), 'not by any of the secrets');
  });

  test('by the secret of another operator', () =>
    expectAllRefused(signedAt({ code: caller.code, secret: stranger.secret }, 0), 'not by any of the secrets'));

  test('for an operator without secrets, whatever it signs with', async () => {
    await expectAllRefused(signedAt(silent, 0), 'not by any of the secrets');
    // An empty secret is not the same as none.
    await expectAllRefused(async (call) => ({
      [OPERATOR_HEADER]: silent.code,
      ...(await signBody(bytesOf(call.body), { secret: '\u0000', nowSeconds: nowSeconds() })),
    }));
  });

  // A second of room on both sides for the time that a call takes.
  test.each([-310, 310])('signed %d seconds from now', (seconds) =>
    expectAllRefused(signedAt(caller, seconds), 'outside the window'),
  );

  test('with the signature of another body, or of the same body written otherwise', async () => {
    await expectAllRefused(async () => signedHeaders(caller, 'another body'), 'not by any of the secrets');
    await expectAllRefused(async (call) => signedHeaders(caller, `${bytesOf(call.body)} `));
  });

  test('with the signature of another second', () =>
    expectAllRefused(async (call) => ({
      ...(await signedHeaders(caller, call.body)),
      [TIMESTAMP_HEADER]: String(nowSeconds() + 2),
    })));

  test('with a signature of another version, or in upper case', async () => {
    const rewritten = (change: (signature: string) => string) => async (call: OperatorCall) => {
      const headers = await signedHeaders(caller, call.body);
      return { ...headers, [SIGNATURE_HEADER]: change(headers[SIGNATURE_HEADER]) };
    };
    await expectAllRefused(
      rewritten((signature) => signature.replace('v1', 'v2')),
      'malformed',
    );
    await expectAllRefused(
      rewritten((signature) => `v1=${'F'.repeat(64)}${signature.slice(67)}`),
      'malformed',
    );
  });
});

describe('before the signature holds nothing else is looked at', () => {
  test.each<[string, OperatorCall]>([
    ['a body that is not JSON', { method: 'POST', path: '/operator/sessions', body: 'broken' }],
    ['a body that is too large', { method: 'POST', path: '/operator/sessions', body: 'x'.repeat(20_000) }],
    ['no body', { method: 'POST', path: '/operator/sessions' }],
    ['a path that cannot be decoded', { method: 'DELETE', path: '/operator/sessions/%E0' }],
    ['a bet that is none', { method: 'GET', path: '/operator/rounds/none' }],
    ['a query that is wrong', { method: 'GET', path: '/operator/rounds?limit=0' }],
    ['a method that is not there', { method: 'PATCH', path: '/operator/games' }],
    ['a preflight of a browser', { method: 'OPTIONS', path: '/operator/games' }],
  ])('%s', async (_, call) => {
    expect((await send(server.url, call)).status).toBe(401);
  });
});

describe('a signature that holds', () => {
  test('may be by either of two secrets, until one is taken away', async () => {
    const operator = await addHouseOperator(server.db, { secrets: ['first', 'second'] });
    const status = async (secret: string) => (await operatorClient(server.url, { ...operator, secret }).games()).status;
    expect([await status('first'), await status('second'), await status('third')]).toEqual([200, 200, 401]);
    await server.db.operator.update({ where: { code: operator.code }, data: { secrets: ['second'] } });
    expect([await status('first'), await status('second')]).toEqual([401, 200]);
  });

  test('is over the bytes of the body, whatever way they are written', async () => {
    const body = JSON.stringify(launchBody({ token: 'Ääni 漢 🎰' }), null, 4);
    const headers = { ...(await signedHeaders(caller, body)), 'content-type': 'text/plain' };
    expect((await send(server.url, { method: 'POST', path: '/operator/sessions', body, headers })).status).toBe(200);
  });

  test('is over the empty body of a call that has none', async () => {
    const headers = await signedHeaders(caller, '');
    expect((await send(server.url, { method: 'GET', path: '/operator/games', headers })).status).toBe(200);
  });
});

describe('a signed call that is wrong is ERR_VAL', () => {
  const twice = '{"token":"a","token":"b","gameID":"fixture","currency":"USD","lang":"en","device":"desktop"}';
  test.each([
    ['not JSON', 'broken'],
    ['a list', '[]'],
    ['empty', ''],
    ['with the same key twice', twice],
    ['larger than 16 KiB', JSON.stringify(launchBody({ token: 'x', filler: 'x'.repeat(16 * 1024) }))],
    ['without what the launch needs', '{}'],
  ])('a body %s', async (_, body) => {
    const before = await everything();
    const answer = await operatorClient(server.url, caller).launch(body as unknown as object);
    expect([answer.status, answer.body.error]).toEqual([400, 'ERR_VAL']);
    expect(await everything()).toEqual(before);
  });

  test('a body of 16 KiB to the byte is none too much', async () => {
    const frame = bytesOf(launchBody({ filler: '' })).length;
    const body = bytesOf(launchBody({ filler: 'x'.repeat(16 * 1024 - frame) }));
    expect(body).toHaveLength(16 * 1024);
    expect((await operatorClient(server.url, caller).launch(body as unknown as object)).status).toBe(200);
  });

  test('a packed body: what is signed is what is sent', async () => {
    const packed = gzipSync(bytesOf(launchBody()));
    const signature = await signBody(new Uint8Array(packed), { secret: caller.secret, nowSeconds: nowSeconds() });
    const headers = { [OPERATOR_HEADER]: caller.code, ...signature, 'content-encoding': 'gzip' };
    const response = await fetch(`${server.url}/operator/sessions`, { method: 'POST', body: packed, headers });
    const answer = (await response.json()) as { error: string };
    expect([response.status, answer.error]).toEqual([400, 'ERR_VAL']);
  });

  test('a method that the path does not have; an unknown path is 404', async () => {
    const headers = await signedHeaders(caller, '');
    const status = async (method: string, path: string) => (await send(server.url, { method, path, headers })).status;
    expect(await status('PATCH', '/operator/games')).toBe(400);
    expect(await status('DELETE', '/operator/rounds/1')).toBe(400);
    expect(await status('GET', '/operator/rounds/1/void/again')).toBe(404);
    expect(await status('DELETE', '/operator/sessions/%E0')).toBe(404);
    expect(await status('GET', '/operator')).toBe(404);
  });
});

test('there is nothing for pages of other origins', async () => {
  const headers = { ...(await signedHeaders(caller, '')), origin: 'https://evil.example.com' };
  for (const method of ['GET', 'OPTIONS']) {
    const answer = await send(server.url, { method, path: '/operator/games', headers });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
  const games = await send(server.url, { method: 'GET', path: '/operator/games', headers });
  expect(games.status).toBe(200);
  expect(games.headers.get('cache-control')).toBe('no-store');
});

test('maintenance is for players: an operator is answered meanwhile', async () => {
  await server.db.maintenance.create({ data: { scope: 'server', target: '', level: 'nothing_at_all' } });
  try {
    const client = operatorClient(server.url, caller);
    expect((await client.rounds()).status).toBe(200);
    expect((await client.launch({})).body.error).toBe('ERR_VAL');
  } finally {
    await server.db.maintenance.deleteMany();
  }
});

test('the log says that a signature did not hold, and tells no session and no secret', async () => {
  const client = operatorClient(server.url, caller);
  const { body } = await client.launch(launchBody({ token: 'a-secret-token' }));
  await client.revoke(body.sessionID);
  await send(server.url, { method: 'DELETE', path: `/operator/sessions/${body.sessionID}` });
  await operatorClient(server.url, { ...caller, secret: 'wrong' }).games();
  const log = server.logLines.join('\n');
  expect(log).toContain('a call without a valid signature');
  expect(log).toContain('/operator/sessions/:sessionID');
  for (const secret of [body.sessionID, encodeURIComponent(body.sessionID), caller.secret, 'a-secret-token']) {
    expect(log).not.toContain(secret);
  }
});
