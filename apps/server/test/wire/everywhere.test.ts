import { describe, expect, test } from 'vitest';
import { ENDPOINTS, OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { expectRefused, snapshot } from '../support/snapshot.ts';

const server = useCheckedServer();
const bytesOf = (body: unknown) => new TextEncoder().encode(JSON.stringify(body));

describe('Everywhere: money', () => {
  test.each(['1000000.5', '"1000000"', '-1', '-1000000', '1e400', 'NaN', '9007199254740992', '0', '-0', 'null', '[1]'])(
    'an amount of %s is ERR_VAL',
    async (amount) => {
      const sessionID = await server.liveSession();
      const before = await snapshot(server, sessionID);
      const body = `{"sessionID":"${sessionID}","amount":${amount},"mode":"BASE"}`;
      await expectRefused(server, { path: '/wallet/play', body }, 'ERR_VAL');
      expect(await snapshot(server, sessionID)).toEqual(before);
    },
  );

  test('an amount is a number, however it is written: 1e6 and 1000000.0 are one unit', async () => {
    for (const amount of ['1e6', '1000000.0']) {
      const sessionID = await server.liveSession();
      const body = `{"sessionID":"${sessionID}","amount":${amount},"mode":"BASE"}`;
      expect((await server.post('/wallet/play', body)).body.balance.amount).toBe(OPENING - UNIT);
    }
  });

  test('a balance at the end of the range is sent exactly', async () => {
    const sessionID = await server.liveSession({ balance: Number.MAX_SAFE_INTEGER });
    const { text } = await server.post('/wallet/balance', { sessionID });
    expect(text).toBe('{"balance":{"amount":9007199254740991,"currency":"USD"}}');
  });

  test('nothing beyond the range is stored', async () => {
    const { status } = await server.post('/session/start', '{"balance":9007199254740992}');
    expect(status).toBe(400);
  });
});

describe('Everywhere: the body', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'not a type',
  ])('is one JSON object under Content-Type %s', async (type) => {
    const sessionID = await server.newSession();
    for (const { path, more } of ENDPOINTS.toSorted((a, b) => order(a.path) - order(b.path))) {
      const { status } = await server.post(path, bytesOf({ sessionID, ...more }), { 'Content-Type': type });
      expect([path, status]).toEqual([path, 200]);
    }
  });

  test('is one JSON object without any Content-Type', async () => {
    const sessionID = await server.newSession();
    expect((await server.post('/wallet/authenticate', bytesOf({ sessionID }))).status).toBe(200);
  });

  test.each(ENDPOINTS)('unknown fields are ignored: $path', async ({ path, more }) => {
    const sessionID = await server.liveSession();
    if (path !== '/wallet/play') await server.playBook(sessionID, BOOK.pays0);
    const extra = { language: 'fi', currency: 'XXX', meta: { deep: [1] }, balance: 5, sessionId: 'other', __proto: 1 };
    const { status, body } = await server.post(path, { ...extra, sessionID, ...more });
    expect(status).toBe(200);
    expect(body.balance?.currency ?? 'USD').toBe('USD');
  });

  test.each(ENDPOINTS)('of 16 KiB is read, one byte more is ERR_VAL: $path', async ({ path, more }) => {
    const sessionID = await server.liveSession();
    if (path !== '/wallet/play') await server.playBook(sessionID, BOOK.pays0);
    const sized = (bytes: number) => {
      const body = JSON.stringify({ sessionID, ...more, padding: '' });
      return body.replace('"padding":""', `"padding":"${'x'.repeat(bytes - body.length)}"`);
    };
    const before = await snapshot(server, sessionID);
    await expectRefused(server, { path, body: sized(16 * 1024 + 1) }, 'ERR_VAL');
    expect(await snapshot(server, sessionID)).toEqual(before);
    expect((await server.post(path, sized(16 * 1024))).status).toBe(200);
  });
});

describe('Everywhere: statuses', () => {
  test.each(ENDPOINTS)('$path answers a wrong method with 400 ERR_VAL', async ({ path }) => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      const { status, body } = await server.send(path, { method });
      expect([method, status, body.error]).toEqual([method, 400, 'ERR_VAL']);
    }
    expect((await server.send(path, { method: 'HEAD' })).status).toBe(400);
  });

  test.each(ENDPOINTS)('$path answers a broken body with 400 ERR_VAL, whatever is broken', async ({ path }) => {
    for (const body of ['', ' ', '{', '[]', '"text"', 'null', '7', 'true', '{"sessionID":"a"}{}', '\ufeff']) {
      await expectRefused(server, { path, body }, 'ERR_VAL');
    }
    await expectRefused(server, { path, body: new Uint8Array([0x7b, 0xff, 0x7d]) }, 'ERR_VAL');
  });

  test.each([{ 'Content-Encoding': 'gzip' }, { 'Content-Encoding': 'unknown' }, { 'Content-Type': 'a/b; charset=x' }])(
    'a body that cannot be decoded (%j) is 400 ERR_VAL',
    async (headers) => {
      await expectRefused(server, { path: '/wallet/play', body: bytesOf({ sessionID: 1 }), headers }, 'ERR_VAL');
    },
  );

  test.each(['/', '/wallet', '/wallet/', '/wallet/play/', '/Wallet/Play', '/wallet/unknown', '/bet', '/openapi'])(
    'an unknown path is 404 with the same body shape: %s',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        const { status, body } = await server.send(path, { method });
        expect([status, Object.keys(body)]).toEqual([404, ['error', 'message']]);
      }
    },
  );
});

describe('Everywhere: the error body and X-Request-Id', () => {
  test('a refusal is {error, message}, in plain English, without the sessionID or a value of the request', async () => {
    const sessionID = 'secret-of-the-player';
    const answers = [
      await server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }),
      await server.post('/wallet/play', { sessionID, amount: 'private-amount', mode: 'BASE' }),
      await server.post('/wallet/play', `{"sessionID":"${sessionID}","amount":private-amount}`),
      await server.post('/wallet/play', { sessionID: sessionID.repeat(20), amount: UNIT, mode: 'BASE' }),
    ];
    for (const { text, body } of answers) {
      expect(Object.keys(body)).toEqual(['error', 'message']);
      expect(body.message).toMatch(/^[\w .,:;()/-]{10,200}$/);
      expect(text).not.toMatch(/secret|private/);
    }
  });

  test('X-Request-Id comes back on every response, is another each time, and is in the log line', async () => {
    const sessionID = await server.newSession();
    const answers = [
      await server.post('/wallet/authenticate', { sessionID }),
      await server.post('/wallet/authenticate', 'broken'),
      await server.post('/wallet/balance', { sessionID: 'never-issued' }),
      await server.send('/nowhere'),
      await server.send('/wallet/play', { method: 'OPTIONS' }),
      await server.send('/wallet/play', { method: 'HEAD' }),
      await server.send('/fixture/1.0.0/index.html'),
      await server.send('/bet/replay/fixture/1.0.0/base/1'),
      await server.send('/healthz'),
    ];
    const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? 'none');
    expect(new Set(ids).size).toBe(answers.length);
    for (const [index, id] of ids.entries()) {
      // The line is written when the answer has left, which may be a moment after it arrived here.
      const status = () =>
        server.logLines.map((text) => JSON.parse(text)).find(({ requestId }) => requestId === id)?.status;
      await expect.poll(status).toBe(answers[index]?.status);
    }
  });
});

describe('Everywhere: CORS', () => {
  test('any origin may read every answer, without credentials', async () => {
    const answers = [
      await server.post(
        '/wallet/authenticate',
        { sessionID: await server.newSession() },
        { Origin: 'https://a.example' },
      ),
      await server.post('/wallet/authenticate', 'broken', { Origin: 'null' }),
      await server.send('/nowhere', { headers: { Origin: 'https://b.example' } }),
    ];
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('access-control-expose-headers')?.toLowerCase()).toContain('x-request-id');
    }
  });

  test.each(ENDPOINTS)('the preflight of $path allows both headers and may be cached', async ({ path }) => {
    const asked = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'POST' };
    const { status, headers } = await server.send(path, {
      method: 'OPTIONS',
      headers: { ...asked, 'Access-Control-Request-Headers': 'content-type,idempotency-key' },
    });
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(/, */);
    expect(allowed).toEqual(expect.arrayContaining(['content-type', 'idempotency-key']));
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
  });
});

/** Authenticate first, play before event, end-round last: each then has what it needs. */
function order(path: string): number {
  return ['/wallet/authenticate', '/wallet/balance', '/wallet/play', '/bet/event', '/wallet/end-round'].indexOf(path);
}
