import { gzipSync } from 'node:zlib';
import {
  NONCE_HEADER,
  OPERATOR_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_WINDOW_SECONDS,
  signCall,
  TIMESTAMP_HEADER,
} from '@roundhouse/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { wholeState } from '../support/snapshot.ts';
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

const signedAt = (by: Caller, seconds: number) => (call: OperatorCall) =>
  signedHeaders(by, call, { nowSeconds: nowSeconds() + seconds });

/** Signed for another call than is sent. */
const signedFor = (other: (call: OperatorCall) => Partial<OperatorCall>) => (call: OperatorCall) =>
  signedHeaders(caller, { ...call, ...other(call) });

describe('every route answers 401, and nothing changes', () => {
  test('without headers', () => expectAllRefused(async () => ({}), 'missing'));

  test.each([OPERATOR_HEADER, TIMESTAMP_HEADER, NONCE_HEADER, SIGNATURE_HEADER])('without %s', (name) =>
    expectAllRefused(async (call) => {
      const headers: Record<string, string> = await signedHeaders(caller, call);
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
    await expectAllRefused(signedAt({ code: silent.code, secret: '\u0000' }, 0));
  });

  // A second of room on both sides for the time that a call takes.
  test.each([-310, 310])('signed %d seconds from now', (seconds) =>
    expectAllRefused(signedAt(caller, seconds), 'outside the window'),
  );

  test('with the signature of another body, or of the same body written otherwise', async () => {
    await expectAllRefused(
      signedFor(() => ({ body: 'another body' })),
      'not by any of the secrets',
    );
    await expectAllRefused(signedFor(({ body }) => ({ body: `${bytesOf(body)} ` })));
  });

  test('with the signature of another method or path', async () => {
    await expectAllRefused(
      signedFor(({ method }) => ({ method: method === 'GET' ? 'DELETE' : 'GET' })),
      'not by any of the secrets',
    );
    await expectAllRefused(signedFor(({ path }) => ({ path: `${path}?limit=1` })));
    await expectAllRefused(signedFor(({ path }) => ({ path: `/rgs${path}` })));
  });

  test('with the signature of a call from the server to the wallet', () =>
    expectAllRefused(async ({ method, path, body }) => {
      const call = { direction: 'to-operator', method, path, body: bytesOf(body) } as const;
      const signature = await signCall(call, { secret: caller.secret, nowSeconds: nowSeconds() });
      return { [OPERATOR_HEADER]: caller.code, ...signature };
    }, 'not by any of the secrets'));

  test('with the signature of another second or another nonce', async () => {
    const others = { [TIMESTAMP_HEADER]: String(nowSeconds() + 100), [NONCE_HEADER]: 'another-nonce-than-was-signed' };
    for (const [name, value] of Object.entries(others)) {
      await expectAllRefused(async (call) => ({ ...(await signedHeaders(caller, call)), [name]: value }));
    }
  });

  test('with a signature of another version, or in upper case', async () => {
    const rewritten = (change: (signature: string) => string) => async (call: OperatorCall) => {
      const headers = await signedHeaders(caller, call);
      return { ...headers, [SIGNATURE_HEADER]: change(headers[SIGNATURE_HEADER]) };
    };
    await expectAllRefused(
      rewritten((signature) => signature.replace('v2', 'v1')),
      'malformed',
    );
    await expectAllRefused(
      rewritten((signature) => `v2=${'F'.repeat(64)}${signature.slice(67)}`),
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
    const call = { method: 'POST', path: '/operator/sessions', body };
    const headers = { ...(await signedHeaders(caller, call)), 'content-type': 'text/plain' };
    expect((await send(server.url, { ...call, headers })).status).toBe(200);
  });

  test('is over the empty body of a call that has none', async () => {
    const call = { method: 'GET', path: '/operator/games' };
    const headers = await signedHeaders(caller, call);
    expect((await send(server.url, { ...call, headers })).status).toBe(200);
  });
});

describe('a call that somebody has recorded', () => {
  async function openRound() {
    const player = await server.liveSession();
    const { body } = await server.playBook(player, BOOK.pays150);
    return { sessionID: player, betID: body.round.betID as number };
  }

  test('of the server to the wallet is no call of the operator', async () => {
    const { betID } = await openRound();
    const debit = JSON.stringify({ transactionID: 'b0a7', roundID: String(betID), amount: 1_000_000, mode: 'BASE' });
    const recorded = { direction: 'to-operator', method: 'POST', path: '/debit', body: debit } as const;
    const signature = await signCall(recorded, { secret: caller.secret, nowSeconds: nowSeconds() });
    const headers = { [OPERATOR_HEADER]: caller.code, ...signature };
    const path = `/operator/rounds/${betID}/void`;
    expect((await send(server.url, { method: 'POST', path, body: debit, headers })).status).toBe(401);
    expect((await operatorClient(server.url, caller).round(betID)).body.state).toBe('open');
  });

  test('to read something does not end a session', async () => {
    const { sessionID: live } = await openRound();
    const path = `/operator/sessions/${live}`;
    const headers = await signedHeaders(caller, { method: 'GET', path });
    expect((await send(server.url, { method: 'DELETE', path, headers })).status).toBe(401);
    expect((await server.post('/wallet/balance', { sessionID: live })).status).toBe(200);
  });

  test('to change something is done once, by all nodes together; to read, it may come again', async () => {
    const other = await server.startNode();
    const launch = { method: 'POST', path: '/operator/sessions', body: launchBody() };
    const headers = await signedHeaders(caller, launch);
    const answers = await Promise.all([server.url, other.url].map((url) => send(url, { ...launch, headers })));
    await other.close();
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(answers.find(({ status }) => status === 401)?.body.message).toBe('the signature does not hold: used before');
    const read = { method: 'GET', path: '/operator/games' };
    const again = { ...read, headers: await signedHeaders(caller, read) };
    expect((await send(server.url, again)).status).toBe(200);
    expect((await send(server.url, again)).status).toBe(200);
  });

  test('whose answer was lost is made again with another nonce', async () => {
    const { betID } = await openRound();
    const client = operatorClient(server.url, caller);
    const [first, second] = [await client.giveBack(betID), await client.giveBack(betID)];
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
  });

  test('with a nonce of another operator is a call of its own', async () => {
    const call = { method: 'POST', path: '/operator/rounds/1/void', body: {} };
    const nonce = 'the-same-nonce-for-two-operators';
    for (const by of [caller, stranger]) {
      const headers = await signedHeaders(by, call, { nonce });
      expect((await send(server.url, { ...call, headers })).status).not.toBe(401);
      expect((await send(server.url, { ...call, headers })).status).toBe(401);
    }
  });

  test('is remembered for as long as its signature is good, and no longer', async () => {
    await operatorClient(server.url, caller).giveBack(1);
    const [{ seconds } = { seconds: 0 }] = await server.db.$queryRaw<{ seconds: number }[]>`
      SELECT extract(epoch FROM min(expires_at) - now())::float8 AS seconds FROM operator_nonces`;
    expect(seconds).toBeGreaterThan(2 * SIGNATURE_WINDOW_SECONDS);
    await server.db.operatorNonce.updateMany({ data: { expiresAt: new Date(0) } });
    const expired = await server.db.operatorNonce.count();
    await operatorClient(server.url, caller).giveBack(1);
    expect(await server.db.operatorNonce.count()).toBe(Math.max(expired - 10, 0) + 1);
  });
});

describe('a signed call that is wrong is ERR_VAL', () => {
  const twice = '{"token":"a","token":"b","gameID":"fixture","currency":"USD","lang":"en","device":"desktop"}';
  test.each([
    ['not JSON', 'broken'],
    ['a list', '[]'],
    ['empty', ''],
    ['with the same key twice', twice],
    ['larger than 16 KiB', JSON.stringify(launchBody()) + ' '.repeat(16 * 1024)],
    ['without what the launch needs', '{}'],
    ['with a member that a launch does not have', JSON.stringify(launchBody({ curency: 'EUR' }))],
    ['with a flag that no jurisdiction has', JSON.stringify(launchBody({ jurisdiction: { disableTurbo: true } }))],
  ])('a body %s', async (_, body) => {
    const before = await everything();
    const answer = await operatorClient(server.url, caller).launch(body as unknown as object);
    expect([answer.status, answer.body.error]).toEqual([400, 'ERR_VAL']);
    expect(await everything()).toEqual(before);
  });

  test('a body of 16 KiB to the byte is none too much', async () => {
    const body = bytesOf(launchBody()).padEnd(16 * 1024);
    expect((await operatorClient(server.url, caller).launch(body as unknown as object)).status).toBe(200);
  });

  test('a packed body: what is signed is what is sent', async () => {
    const packed = gzipSync(bytesOf(launchBody()));
    const call = {
      direction: 'to-rgs',
      method: 'POST',
      path: '/operator/sessions',
      body: new Uint8Array(packed),
    } as const;
    const signature = await signCall(call, { secret: caller.secret, nowSeconds: nowSeconds() });
    const headers = { [OPERATOR_HEADER]: caller.code, ...signature, 'content-encoding': 'gzip' };
    const response = await fetch(`${server.url}/operator/sessions`, { method: 'POST', body: packed, headers });
    const answer = (await response.json()) as { error: string };
    expect([response.status, answer.error]).toEqual([400, 'ERR_VAL']);
  });

  test('a method that the path does not have; an unknown path is 404', async () => {
    const status = async (method: string, path: string) => {
      const headers = await signedHeaders(caller, { method, path });
      return (await send(server.url, { method, path, headers })).status;
    };
    expect(await status('PATCH', '/operator/games')).toBe(400);
    expect(await status('DELETE', '/operator/rounds/1')).toBe(400);
    expect(await status('GET', '/operator/rounds/1/void/again')).toBe(404);
    expect(await status('DELETE', '/operator/sessions/%E0')).toBe(404);
    expect(await status('GET', '/operator')).toBe(404);
  });
});

test('a query that a list does not have is ERR_VAL', async () => {
  const answer = await operatorClient(server.url, caller).rounds({ player: 'anna' });
  expect([answer.status, answer.body.error]).toEqual([400, 'ERR_VAL']);
});

test('there is nothing for pages of other origins', async () => {
  const path = '/operator/games';
  for (const [method, status] of [
    ['GET', 200],
    ['OPTIONS', 400],
  ] as const) {
    const headers = { ...(await signedHeaders(caller, { method, path })), origin: 'https://evil.example.com' };
    const answer = await send(server.url, { method, path, headers });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'no-store']);
  }
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
  expect(log).toContain('a request without a valid signature');
  expect(log).toContain('/operator/sessions/:sessionID');
  for (const secret of [body.sessionID, encodeURIComponent(body.sessionID), caller.secret, 'a-secret-token']) {
    expect(log).not.toContain(secret);
  }
});
