import { OPERATOR_HEADER, SIGNATURE_WINDOW_SECONDS, signCall } from '@roundhouse/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { BOOK } from '../../support/fixtureGame.ts';
import { expectNothingChanged } from '../../support/snapshot.ts';
import { useTestServer } from '../../support/testServer.ts';
import {
  addHouseOperator,
  bytesOf,
  type Caller,
  giveHouseItsSecret,
  HOUSE,
  INVALID,
  launchBody,
  NOT_SIGNED,
  nowSeconds,
  type OperatorRequest,
  operatorClient,
  refusalOf,
  send,
  signedHeaders,
} from './operatorClient.ts';

const server = useTestServer();
const GAMES = { method: 'GET', path: '/operator/games' };
const WRONG_SECRET = 'not by any of the secrets';

let client: ReturnType<typeof operatorClient>;
let stranger: Caller;
let withoutSecrets: Caller;
/** Holds one good request of each route. */
let requests: OperatorRequest[];

beforeAll(async () => {
  await giveHouseItsSecret(server);
  client = operatorClient(server.url, HOUSE);
  stranger = await addHouseOperator(server.db);
  withoutSecrets = await addHouseOperator(server.db, { secrets: [] });
  const { sessionID, betID } = await openRound();
  requests = [
    GAMES,
    { method: 'POST', path: '/operator/sessions', body: launchBody() },
    { method: 'DELETE', path: `/operator/sessions/${sessionID}` },
    { method: 'GET', path: '/operator/rounds' },
    { method: 'GET', path: `/operator/rounds/${betID}` },
    { method: 'POST', path: `/operator/rounds/${betID}/void`, body: { reason: 'test' } },
  ];
});

async function openRound() {
  const sessionID = await server.liveSession();
  const { body } = await server.playBook(sessionID, BOOK.pays150);
  return { sessionID, betID: body.round.betID as number };
}

type Headers = Record<string, string>;
type Signing = (request: OperatorRequest) => Headers;

/** Asks for the caller late: the callers are made before the tests. */
const by =
  (caller: () => Caller, secondsFromNow = 0): Signing =>
  (request) =>
    signedHeaders(caller(), request, { nowSeconds: nowSeconds() + secondsFromNow });
/** Signs for another request than the one that is sent. */
const forOther =
  (change: (request: OperatorRequest) => Partial<OperatorRequest>): Signing =>
  (request) =>
    signedHeaders(HOUSE, { ...request, ...change(request) });
const withoutCode: Signing = (request) => {
  const { [OPERATOR_HEADER]: _, ...headers }: Headers = signedHeaders(HOUSE, request);
  return headers;
};
const otherMethod = ({ method }: OperatorRequest) => ({ method: method === 'GET' ? 'DELETE' : 'GET' });
/** Signs as Roundhouse signs its own requests to the wallet. */
const toOperator: Signing = ({ method, path, body }) => {
  const call = { direction: 'to-operator', method, path, body: bytesOf(body) } as const;
  return { [OPERATOR_HEADER]: HOUSE.code, ...signCall(call, { secret: HOUSE.secret, nowSeconds: nowSeconds() }) };
};

describe('every route responds 401, and nothing changes, for a request', () => {
  it.each<[what: string, reason: string, signing: Signing]>([
    ['without headers', 'missing', () => ({})],
    ['without its code', 'missing', withoutCode],
    ['of an unknown operator', WRONG_SECRET, by(() => ({ ...HOUSE, code: 'nobody' }))],
    ['with the secret of another operator', WRONG_SECRET, by(() => ({ ...HOUSE, secret: stranger.secret }))],
    ['of an operator without secrets', WRONG_SECRET, by(() => withoutSecrets)],
    // An empty secret is not the same as none.
    ['with an empty secret', WRONG_SECRET, by(() => ({ ...withoutSecrets, secret: '\u0000' }))],
    // The window leaves ten seconds on both sides for the time that a request takes.
    ['signed too early', 'outside the window', by(() => HOUSE, -310)],
    ['signed for another body', WRONG_SECRET, forOther(() => ({ body: 'another body' }))],
    ['signed for another method', WRONG_SECRET, forOther(otherMethod)],
    ['signed for another query', WRONG_SECRET, forOther(({ path }) => ({ path: `${path}?limit=1` }))],
    ['signed as a request to the wallet', WRONG_SECRET, toOperator],
  ])('%s: %s', async (_, reason, signing) => {
    for (const request of requests) {
      const headers = signing(request);
      const response = await expectNothingChanged(server, () => send(server.url, { ...request, headers }));
      expect([request.path, ...refusalOf(response)]).toEqual([request.path, ...NOT_SIGNED]);
      expect(response.body).toEqual({ error: 'ERR_VAL', message: `the signature does not hold: ${reason}` });
    }
  });
});

it.each<[string, OperatorRequest]>([
  ['a body that is not JSON', { method: 'POST', path: '/operator/sessions', body: 'broken' }],
  ['a body that is too large', { method: 'POST', path: '/operator/sessions', body: 'x'.repeat(20_000) }],
  ['no body', { method: 'POST', path: '/operator/sessions' }],
  ['a path that cannot be decoded', { method: 'DELETE', path: '/operator/sessions/%E0' }],
  ['a bet that is none', { method: 'GET', path: '/operator/rounds/none' }],
  ['a query that is wrong', { method: 'GET', path: '/operator/rounds?limit=0' }],
  ['a method that the path does not have', { ...GAMES, method: 'PATCH' }],
  ['a preflight of a browser', { ...GAMES, method: 'OPTIONS' }],
])('the signature is checked before %s', async (_, request) => {
  expect((await send(server.url, request)).status).toBe(401);
});

describe('a signature that holds', () => {
  it('may be by either of two secrets, until one is taken away', async () => {
    const operator = await addHouseOperator(server.db, { secrets: ['first', 'second'] });
    const status = async (secret: string) => (await operatorClient(server.url, { ...operator, secret }).games()).status;
    expect([await status('first'), await status('second'), await status('third')]).toEqual([200, 200, 401]);
    await server.db.operator.update({ where: { code: operator.code }, data: { secrets: ['second'] } });
    expect([await status('first'), await status('second')]).toEqual([401, 200]);
  });

  it('counts from the moment its secret is stored until it is taken away, also among many requests', async () => {
    const operator = await addHouseOperator(server.db, { secrets: ['first'] });
    const status = async (secret: string) => (await operatorClient(server.url, { ...operator, secret }).games()).status;
    // These are more than are read anew: the last ones share a reading.
    for (let request = 0; request < 60; request += 1) expect(await status('first')).toBe(200);
    await server.db.operator.update({ where: { code: operator.code }, data: { secrets: ['second'] } });
    expect([await status('second'), await status('first')]).toEqual([200, 401]);
  });

  it('is over the bytes of the body, whatever way they are written', async () => {
    const body = JSON.stringify(launchBody({ token: 'Ääni 漢 🎰' }), null, 4);
    const request = { method: 'POST', path: '/operator/sessions', body };
    const headers = { ...signedHeaders(HOUSE, request), 'content-type': 'text/plain' };
    expect((await send(server.url, { ...request, headers })).status).toBe(200);
  });

  it('does not make a compressed body good', async () => {
    const request = { method: 'POST', path: '/operator/sessions', body: launchBody() };
    const headers = { ...signedHeaders(HOUSE, request), 'content-encoding': 'gzip' };
    expect(refusalOf(await send(server.url, { ...request, headers }))).toEqual(INVALID);
  });
});

describe('a request that somebody has recorded', () => {
  it('is accepted once, by all nodes together, when it changes something; a read may come again', async () => {
    const other = await server.startNode();
    const launch = { method: 'POST', path: '/operator/sessions', body: launchBody() };
    const headers = signedHeaders(HOUSE, launch);
    const responses = await Promise.all([server.url, other.url].map((url) => send(url, { ...launch, headers })));
    await other.close();
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    const refused = responses.find(({ status }) => status === 401);
    expect(refused?.body.message).toBe('the signature does not hold: used before');
    const read = { ...GAMES, headers: signedHeaders(HOUSE, GAMES) };
    for (let turn = 0; turn < 2; turn += 1) expect((await send(server.url, read)).status).toBe(200);
  });

  it('with a nonce of another operator is a separate request', async () => {
    const request = { method: 'POST', path: '/operator/rounds/1/void', body: {} };
    for (const caller of [HOUSE, stranger]) {
      const headers = signedHeaders(caller, request, { nonce: 'the-same-nonce-for-two-operators' });
      expect((await send(server.url, { ...request, headers })).status).not.toBe(401);
      expect((await send(server.url, { ...request, headers })).status).toBe(401);
    }
  });

  it('is remembered for as long as its signature is good, and no longer', async () => {
    await client.voidRound(1);
    const [{ seconds } = { seconds: 0 }] = await server.db.$queryRaw<{ seconds: number }[]>`
      SELECT extract(epoch FROM min(expires_at) - now())::float8 AS seconds FROM operator_nonces`;
    expect(seconds).toBeGreaterThan(2 * SIGNATURE_WINDOW_SECONDS);
    await server.db.operatorNonce.updateMany({ data: { expiresAt: new Date(0) } });
    const expired = await server.db.operatorNonce.count();
    await client.voidRound(1);
    expect(await server.db.operatorNonce.count()).toBe(Math.max(expired - 10, 0) + 1);
  });
});

it.each([
  ['with the same key twice', bytesOf(launchBody()).replace('{', '{"token":"b",')],
  ['with a member that a launch does not have', launchBody({ curency: 'EUR' })],
])('a signed body that is %s is ERR_VAL', async (_, body) => {
  expect(refusalOf(await expectNothingChanged(server, () => client.launch(body)))).toEqual(INVALID);
});

it('a body of 16 KiB is accepted', async () => {
  expect((await client.launch(bytesOf(launchBody()).padEnd(16 * 1024))).status).toBe(200);
});

it.each([
  ['PATCH', '/operator/games', 400],
  ['DELETE', '/operator/rounds/1', 400],
  ['GET', '/operator/rounds/1/void/again', 404],
  ['DELETE', '/operator/sessions/%E0', 404],
  ['GET', '/operator', 404],
])('a signed %s %s is %d', async (method, path, status) => {
  const headers = signedHeaders(HOUSE, { method, path });
  expect((await send(server.url, { method, path, headers })).status).toBe(status);
});

it.each([
  ['GET', 200],
  ['OPTIONS', 400],
])('%s lets no page of another origin read, and no cache keep the response', async (method, status) => {
  const request = { ...GAMES, method };
  const headers = { ...signedHeaders(HOUSE, request), origin: 'https://evil.example.com' };
  const response = await send(server.url, { ...request, headers });
  expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  expect([response.status, response.headers.get('cache-control')]).toEqual([status, 'no-store']);
});

it('maintenance is for players: operators get responses meanwhile', async () => {
  await server.db.maintenance.create({ data: { scope: 'server', target: '', level: 'nothing_at_all' } });
  try {
    expect((await client.rounds()).status).toBe(200);
    expect(refusalOf(await client.launch({}))).toEqual(INVALID);
  } finally {
    await server.db.maintenance.deleteMany();
  }
});

it('the log says that a signature did not hold, and names no session and no secret', async () => {
  const { body } = await client.launch(launchBody({ token: 'a-secret-token' }));
  await client.revoke(body.sessionID);
  await send(server.url, { method: 'DELETE', path: `/operator/sessions/${body.sessionID}` });
  await operatorClient(server.url, { ...HOUSE, secret: 'wrong' }).games();
  const log = server.logLines.join('\n');
  expect(log).toContain('a request without a valid signature');
  expect(log).toContain('/operator/sessions/:sessionID');
  for (const secret of [body.sessionID, encodeURIComponent(body.sessionID), HOUSE.secret, 'a-secret-token'])
    expect(log).not.toContain(secret);
});
