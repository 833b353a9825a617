import { DEMO_ROUTES, DEV_ROUTES, FAIRNESS_ROUTES, GAME_ROUTES } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { ENDPOINT_NAMES, useGoodCalls } from '../../support/goodCalls.ts';
import { sendRaw } from '../../support/rawHttp.ts';
import { expectNothingChanged, expectRefusal } from '../../support/snapshot.ts';
import { ENDPOINTS, sessionInRound, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
const calls = useGoodCalls(server);

const PREFLIGHT = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'POST' };
/** Every way to the routes that a page may call, without their parameters. */
const PAGE_ROUTES = Object.values({ ...GAME_ROUTES, ...FAIRNESS_ROUTES, ...DEMO_ROUTES, ...DEV_ROUTES });

const UUID = /^[\da-f-]{36}$/;

describe.each(ENDPOINT_NAMES)('the path of %s', (name) => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])('takes no %s', async (method) => {
    const { path, body } = calls[name];
    for (const sent of ['', JSON.stringify(body)]) {
      const send = () => sendRaw(server.url, method, path, { body: sent });
      expectRefusal(await expectNothingChanged(server, send), 'ERR_VAL', 'POST');
    }
  });

  it('takes no HEAD, and its refusal has no body', async () => {
    const send = () => server.send(calls[name].path, { method: 'HEAD' });
    const { status, text } = await expectNothingChanged(server, send);
    expect([status, text]).toEqual([400, '']);
  });

  it('takes OPTIONS as a preflight, which does nothing', async () => {
    const { path, body } = calls[name];
    const send = () => server.send(path, { method: 'OPTIONS', body: JSON.stringify(body), headers: PREFLIGHT });
    const { status, text } = await expectNothingChanged(server, send);
    expect([status, text]).toEqual([200, '']);
  });

  it('is matched exactly', async () => {
    const { path, body } = calls[name];
    const others = [`${path}/`, `/${path}`, path.toUpperCase(), `${path}%00`, `/.${path}`, `${path}%ff`, `/v1${path}`];
    for (const other of [...others, `${path}${'/play'.repeat(2_000)}`]) {
      const send = () => sendRaw(server.url, 'POST', other, { body: JSON.stringify(body) });
      expectRefusal(await expectNothingChanged(server, send), 'NOT_FOUND', 'at this path');
    }
  });

  it('may have a query, and its response is not stored', async () => {
    const { more } = ENDPOINTS.find(({ path }) => path === calls[name].path) ?? { more: {} };
    const sessionID = name === 'play' ? await server.liveSession() : await sessionInRound(server);
    const path = `${calls[name].path}?sessionID=other&a[b]=1&__proto__=1&%ff`;
    const body = JSON.stringify({ sessionID, ...more });
    const { status, headers } = await sendRaw(server.url, 'POST', path, { body });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  });
});

it.each([
  ...['/', '/%', '/%00', '/..%2f..%2fetc%2fpasswd', '/../../etc/passwd', '/fixture/1.0.0/%', '/fixture/1.0.0/%00'],
  ...['/wallet', '/wallet/', '/wallet/unknown', '/bet', '/openapi', `/${'p'.repeat(15_000)}`],
])('an unknown path is 404 in the usual shape: %.40s', async (path) => {
  for (const method of ['GET', 'POST'])
    expectRefusal(await sendRaw(server.url, method, path), 'NOT_FOUND', 'at this path');
});

it('a refusal is {error, message} in plain English, without a value of the request', async () => {
  const sessionID = 'secret-of-the-player';
  const responses = [
    await server.play(sessionID),
    await server.play(sessionID, { amount: 'private-amount' }),
    await server.post('/wallet/play', `{"sessionID":"${sessionID}","amount":private-amount}`),
    await server.play(sessionID.repeat(20)),
  ];
  for (const { text, body } of responses) {
    expect(Object.keys(body)).toEqual(['error', 'message']);
    expect(body.message).toMatch(/^[\w .,:;()/-]{10,200}$/);
    expect(text).not.toMatch(/secret|private/);
  }
});

it('any origin may read every response, without credentials', async () => {
  const responses = [
    await server.post('/wallet/balance', calls.balance.body, { Origin: 'https://a.example' }),
    await server.post('/wallet/authenticate', 'broken', { Origin: 'null' }),
    await server.send('/nowhere', { headers: { Origin: 'https://b.example' } }),
  ];
  for (const { headers } of responses) {
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('access-control-expose-headers')).toBe('X-Request-Id, Retry-After, Content-Disposition');
  }
});

describe('a preflight', () => {
  const preflight = async (path: string, headers: Record<string, string> = {}) =>
    (await server.send(path, { method: 'OPTIONS', headers: { ...PREFLIGHT, ...headers } })).headers;

  it.each(PAGE_ROUTES)('of $method $path allows its method and every header that a page requests', async (route) => {
    const asked = 'authorization,content-type,traceparent,tracestate,x-request-id';
    const headers = await preflight(route.path, { 'Access-Control-Request-Headers': asked });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')?.split(', ')).toContain(route.method);
    expect(headers.get('access-control-allow-headers')).toBe(asked);
    expect(headers.get('access-control-max-age')).toBe('86400');
    expect(headers.get('vary')).toContain('Access-Control-Request-Headers');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each([undefined, '', ',', 'a b', 'x'.repeat(3_000).concat(' y'), '<script>', 'caf\u00e9'])(
    'without names of headers allows the usual ones: %.20j',
    async (asked) => {
      const headers = await preflight(
        '/wallet/play',
        asked === undefined ? {} : { 'Access-Control-Request-Headers': asked },
      );
      expect(headers.get('access-control-allow-headers')).toBe('Content-Type, Idempotency-Key, X-Request-Id');
    },
  );

  it('lets a page of a public server play in a private network, and reach nothing else there', async () => {
    const allowed = async (path: string, asked = 'true') =>
      (await preflight(path, { 'Access-Control-Request-Private-Network': asked })).get(
        'access-control-allow-private-network',
      );
    for (const path of ['/wallet/play', '/bet/event', '/fairness/seeds', '/demo/play', '/bet/replay/g/1/BASE/7'])
      expect(await allowed(path), path).toBe('true');
    for (const path of ['/game/force', '/session/start', '/metrics', '/healthz', '/walletx'])
      expect(await allowed(path), path).toBeNull();
    expect(await allowed('/wallet/play', 'no')).toBeNull();
  });
});

it('no page may read the metrics', async () => {
  const { status, headers } = await server.send('/metrics', { headers: { Origin: 'https://a.example' } });
  expect(status).toBe(200);
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

describe('X-Request-Id', () => {
  const lineOf = (requestId: string | null) => server.logged().find((line) => line.requestId === requestId);

  it('comes back on every response, is another each time, and is in the log line', async () => {
    const responses = [
      await server.post('/wallet/balance', calls.balance.body),
      await server.post('/bet/history', calls.history.body),
      await server.post('/wallet/authenticate', 'broken'),
      await server.send('/wallet/play', { method: 'OPTIONS' }),
      await server.send('/wallet/play', { method: 'HEAD' }),
    ];
    const ids = responses.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(responses.length);
    for (const [index, id] of ids.entries()) {
      // The line may be written a moment after the response arrives here.
      await expect.poll(() => lineOf(id)?.status).toBe(responses[index]?.status);
    }
  });

  it("is the caller's when it is a sound one, and is replaced when it is not", async () => {
    const idFor = async (given: string) => {
      const { headers } = await server.post('/wallet/balance', calls.balance.body, { 'X-Request-Id': given });
      return headers.get('x-request-id');
    };
    expect(await idFor('spin-1.a_B')).toBe('spin-1.a_B');
    for (const unsound of ['', 'two words', 'x'.repeat(65), '<script>', '"', 'é', 'a,b'])
      expect(await idFor(unsound)).toMatch(UUID);
  });

  it.each([
    ['POST', '/wallet/play', '/wallet/play'],
    ['GET', '/wallet/play', '/wallet/play'],
    ['DELETE', '/operator/sessions/a-session', '/operator/sessions/*'],
    ['GET', '/fixture/1.0.0/index.html', '/fixture/1.0.0/*'],
    ['GET', '/fixture/1.0.0/none', '/fixture/1.0.0/*'],
    ['GET', '/bet/replay/fixture/1.0.0/BASE/1', '/bet/replay/:game/:version/:mode/:event'],
    ['GET', '/healthz', '/healthz'],
    ['GET', '/docs/api/', '/docs/api'],
    ['GET', '/nothing', 'unmatched'],
  ])('has for %s %s a log line of the route %s', async (method, path, route) => {
    const { headers } = await server.send(path, { method });
    const line = () => lineOf(headers.get('x-request-id'));
    await expect.poll(line).toMatchObject({ method, route, msg: 'request' });
  });
});
