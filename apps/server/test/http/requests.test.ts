import { ERROR_CODES, ERRORS } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS, sessionInRound, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { ENDPOINT_NAMES, useGoodCalls } from '../support/goodCalls.ts';
import { exchangeRaw, parseRaw, rawHead } from '../support/rawHttp.ts';
import { expectNothingChanged, expectRefusal } from '../support/snapshot.ts';

const server = useCheckedServer();
const calls = useGoodCalls(server);

const UUID = /^[\da-f-]{36}$/;

/** A request line to the letter: fetch would tidy the path up. */
const sendRaw = async (method: string, path: string, body = '') => {
  const head = rawHead(path, { 'Content-Length': Buffer.byteLength(body) });
  return parseRaw(await exchangeRaw(server.url, head.replace(/^POST/, method) + body));
};

describe.each(ENDPOINT_NAMES)('the address of %s', (name) => {
  const fields = {
    authenticate: ['balance', 'config', 'meta', 'round'],
    balance: ['balance'],
    play: ['balance', 'round'],
    endRound: ['balance'],
    event: ['event'],
  }[name];

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'SUBSCRIBE'])('takes no %s', async (method) => {
    const { path, body } = calls[name];
    for (const sent of ['', JSON.stringify(body), 'broken']) {
      expectRefusal(await expectNothingChanged(server, () => sendRaw(method, path, sent)), 'ERR_VAL', 'POST');
    }
  });

  it('takes no HEAD, whose refusal has no body', async () => {
    const { status, text, headers } = await expectNothingChanged(server, () =>
      server.send(calls[name].path, { method: 'HEAD' }),
    );
    expect([status, text]).toEqual([400, '']);
    expect(headers.get('x-request-id')).toMatch(UUID);
  });

  it('takes OPTIONS as a preflight, which allows both headers, may be cached and does nothing', async () => {
    const { path, body } = calls[name];
    const { status, text, headers } = await expectNothingChanged(server, () =>
      server.send(path, {
        method: 'OPTIONS',
        body: JSON.stringify(body),
        headers: {
          Origin: 'https://a.example',
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'content-type,idempotency-key',
        },
      }),
    );
    expect([status, text]).toEqual([200, '']);
    expect(headers.get('x-request-id')).toMatch(UUID);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(/, */);
    expect(allowed).toEqual(expect.arrayContaining(['content-type', 'idempotency-key']));
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
  });

  it.each([
    ['a slash behind', (path: string) => `${path}/`],
    ['a slash more', (path: string) => `/${path}`],
    ['another case', (path: string) => path.toUpperCase()],
    ['U+0000 behind', (path: string) => `${path}%00`],
    ['a dot segment', (path: string) => `/.${path}`],
    ['what does not decode', (path: string) => `${path}%ff`],
    ['a version before', (path: string) => `/v1${path}`],
    ['much behind', (path: string) => `${path}${'/play'.repeat(2_000)}`],
  ])('is not the same with %s', async (_what, change) => {
    const { path, body } = calls[name];
    const send = () => sendRaw('POST', change(path), JSON.stringify(body));
    expectRefusal(await expectNothingChanged(server, send), 'NOT_FOUND', 'at this path');
  });

  it(`is the same with a query, and responds with ${fields.join(', ')}`, async () => {
    const { more } = ENDPOINTS.find(({ path }) => path === calls[name].path) ?? { more: {} };
    const sessionID = name === 'play' ? await server.liveSession() : await sessionInRound(server);
    const path = `${calls[name].path}?sessionID=other&a[b]=1&__proto__=1&%ff`;
    const { status, body } = await sendRaw('POST', path, JSON.stringify({ sessionID, ...more }));
    expect([status, Object.keys(body).sort()]).toEqual([200, fields]);
  });
});

describe('an unknown path', () => {
  it.each([
    ...['/', '/%', '/%00', '/..%2f..%2fetc%2fpasswd', '/../../etc/passwd', '/fixture/1.0.0/%', '/fixture/1.0.0/%00'],
    ...['/wallet', '/wallet/', '/wallet/play/', '/Wallet/Play', '/wallet/unknown', '/bet', '/openapi'],
    `/${'p'.repeat(15_000)}`,
  ])('is 404 in the usual shape: %.40s', async (path) => {
    for (const method of ['GET', 'POST']) expectRefusal(await sendRaw(method, path), 'NOT_FOUND', 'at this path');
  });
});

describe('a refusal', () => {
  it('is one of eight codes, each with its status and meaning', () => {
    expect(ERROR_CODES.map((code) => `${ERRORS[code].status} ${code}: ${ERRORS[code].meaning}`)).toEqual([
      '400 ERR_VAL: Invalid request',
      '400 ERR_IPB: Insufficient player balance',
      '400 ERR_IS: Invalid session token or session timeout',
      '400 ERR_ATE: Failed user authentication or token expired',
      '400 ERR_GLE: Gambling limits exceeded',
      '400 ERR_LOC: Invalid player location',
      '500 ERR_GEN: General server error',
      '500 ERR_MAINTENANCE: RGS under planned maintenance',
    ]);
  });

  it('is {error, message}, in plain English, without the sessionID or a value of the request', async () => {
    const sessionID = 'secret-of-the-player';
    const responses = [
      await server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }),
      await server.post('/wallet/play', { sessionID, amount: 'private-amount', mode: 'BASE' }),
      await server.post('/wallet/play', `{"sessionID":"${sessionID}","amount":private-amount}`),
      await server.post('/wallet/play', { sessionID: sessionID.repeat(20), amount: UNIT, mode: 'BASE' }),
    ];
    for (const { text, body } of responses) {
      expect(Object.keys(body)).toEqual(['error', 'message']);
      expect(body.message).toMatch(/^[\w .,:;()/-]{10,200}$/);
      expect(text).not.toMatch(/secret|private/);
    }
  });
});

it('any origin may read every response, without credentials', async () => {
  const headersFor = (origin: string) => ({ headers: { Origin: origin } });
  const responses = [
    await server.post('/wallet/balance', calls.balance.body, { Origin: 'https://a.example' }),
    await server.post('/wallet/authenticate', 'broken', { Origin: 'null' }),
    await server.send('/nowhere', headersFor('https://b.example')),
  ];
  for (const { headers } of responses) {
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('access-control-expose-headers')?.toLowerCase()).toContain('x-request-id');
  }
});

describe('X-Request-Id', () => {
  const lineOf = (requestId: string | null) =>
    server.logLines.map((line) => JSON.parse(line)).find((line) => line.requestId === requestId);

  it('comes back on every response, is another each time, and is in the log line', async () => {
    const responses = [
      await server.post('/wallet/balance', calls.balance.body),
      await server.post('/wallet/authenticate', 'broken'),
      await server.post('/wallet/balance', { sessionID: 'never-issued' }),
      await server.send('/nowhere'),
      await server.send('/wallet/play', { method: 'OPTIONS' }),
      await server.send('/wallet/play', { method: 'HEAD' }),
      await server.send('/fixture/1.0.0/index.html'),
      await server.send('/bet/replay/fixture/1.0.0/base/1'),
      await server.send('/healthz'),
    ];
    const ids = responses.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(responses.length);
    for (const [index, id] of ids.entries()) {
      // The line is written when the response has left, which may be a moment after it arrived here.
      await expect.poll(() => lineOf(id)?.status).toBe(responses[index]?.status);
    }
  });

  it("is the caller's when it is a sound one, and is replaced when it is not", async () => {
    const idFor = async (given: string) => {
      const { headers } = await server.post('/wallet/balance', calls.balance.body, { 'X-Request-Id': given });
      return headers.get('x-request-id');
    };
    expect(await idFor('spin-1.a_B')).toBe('spin-1.a_B');
    for (const unsound of ['', 'two words', 'x'.repeat(65), '<script>', '"', 'é', 'a,b']) {
      expect(await idFor(unsound)).toMatch(UUID);
    }
  });

  it.each([
    ['POST', '/wallet/play', '/wallet/play'],
    ['GET', '/wallet/play', '/wallet/play'],
    ['DELETE', '/operator/sessions/a-session', '/operator/sessions/*'],
    ['GET', '/fixture/1.0.0/index.html', '/fixture/1.0.0/*'],
    ['GET', '/fixture/1.0.0/none', '/fixture/1.0.0/*'],
    ['GET', '/bet/replay/fixture/1.0.0/BASE/1', '/bet/replay/:game/:version/:mode/:event'],
    ['GET', '/healthz', '/healthz'],
    ['GET', '/docs/', '/docs'],
    ['GET', '/nothing', 'unmatched'],
  ])('has for %s %s a log line of the route %s', async (method, path, route) => {
    const { headers } = await server.send(path, { method });
    const line = () => lineOf(headers.get('x-request-id'));
    await expect.poll(line).toMatchObject({ method, route, msg: 'request' });
  });
});

/** A sessionID, as a text that nothing else holds. */
const SESSION = 'acme:5e55-1-0-n';

const PATHS = [
  `/operator/sessions/${SESSION}`,
  `//operator/sessions/${SESSION}`,
  `/operator//sessions/${SESSION}`,
  `/operator/sessions//${SESSION}`,
  `/operator/sessions/${SESSION}/`,
  `/operator/sessions/${SESSION}/more`,
  `/OPERATOR/Sessions/${SESSION}`,
  `/operator/session/${SESSION}`,
  `/operator/sessions;${SESSION}`,
  `/operator/sessions/${SESSION}%`,
  `/operator/sessions/%E0%A4%A${SESSION}`,
  `/operator/rounds/${SESSION}`,
  `/operator/rounds/${SESSION}/void`,
  `/${SESSION}`,
  `/sessionID=${SESSION}`,
  `/fixture/1.0.0/index.html?sessionID=${SESSION}`,
  `/fixture/1.0.0/index.html;sessionID=${SESSION}`,
  `/fixture/1.0.0/index.html%3FsessionID=${SESSION}`,
  `/fixture/1.0.0/${SESSION}/index.html`,
  `/fixture/${SESSION}/index.html`,
  `/${SESSION}/1.0.0/index.html`,
  `/wallet/play/${SESSION}`,
  `/wallet/play;sessionID=${SESSION}`,
  `/wallet/play?sessionID=${SESSION}`,
  `/bet/replay/fixture/1.0.0/BASE/${SESSION}`,
  `/bet/replay/${SESSION}/1.0.0/BASE/1`,
  `/bet/replay/%E0%A4%A/${SESSION}/BASE/1`,
  `/docs/${SESSION}`,
  `/healthz/${SESSION}`,
  `http://localhost/operator/sessions/${SESSION}`,
];

it('no line of the log holds the sessionID, wherever it stands in the request line', async () => {
  const before = server.logLines.length;
  for (const [index, path] of PATHS.entries()) {
    for (const method of ['GET', 'DELETE', 'POST']) {
      const head = `Host: localhost\r\nConnection: close\r\nContent-Length: 2\r\nX-Request-Id: shape-${index}\r\n`;
      await exchangeRaw(server.url, `${method} ${path} HTTP/1.1\r\n${head}\r\n{}`);
    }
  }
  const lines = () => server.logLines.slice(before);
  const logged = () => lines().filter((line) => line.includes('"requestId":"shape-'));
  await expect.poll(() => logged().length).toBe(PATHS.length * 3);
  expect(lines().filter((line) => line.includes(SESSION))).toEqual([]);
});
