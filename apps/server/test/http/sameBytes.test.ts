import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expressMessages } from '@roundhouse/service';
import type { Express } from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createMetrics } from '../../src/http/monitoring.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { startSeamlessWallet } from '../../src/wallets/seamless/seamlessWallet.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { exchangeRaw } from '../support/rawHttp.ts';
import { startTestServer, type TestServer } from '../support/testServer.ts';

let base: TestServer;
/**
 * One application on two servers: one creates Express messages, the other node's, which Express
 * converts.
 */
let app: Express;
let fast: http.Server;
let plain: http.Server;
let stop: () => Promise<void>;

beforeAll(async () => {
  base = await startTestServer();
  const { db, catalogue } = base;
  const log = pino({ level: 'silent' });
  const ledger = createLedger(db);
  const seamless = startSeamlessWallet({ db, ledger, log });
  app = createApp(
    {
      db,
      catalogue,
      log,
      ledger,
      seamless,
      metrics: createMetrics(db),
      address: () => ({ url: '', rgsUrl: '' }),
      isDraining: () => false,
    },
    {},
  );
  fast = http.createServer(expressMessages(app), app).listen(0, '127.0.0.1');
  plain = http.createServer(app).listen(0, '127.0.0.1');
  await Promise.all([fast, plain].map((server) => server.listening || once(server, 'listening')));
  stop = seamless.stop;
});
afterAll(async () => {
  fast.close();
  plain.close();
  await stop();
  await base.close();
});

async function expectSameBytes(request: string): Promise<string> {
  const [byFast = '', byPlain] = [await bytesOf(fast, request), await bytesOf(plain, request)];
  expect(byFast).toBe(byPlain);
  return byFast;
}

/** The whole response; the second in which it was given is not compared. */
async function bytesOf(server: http.Server, request: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const response = await exchangeRaw(`http://127.0.0.1:${port}`, request);
  return response.replace(/^Date: .*$/m, 'Date');
}

const HEAD = 'Host: localhost\r\nConnection: close\r\nX-Request-Id: the-same';

function post(path: string, body: unknown, headers = ''): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\n${HEAD}\r\n${headers}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

describe('requests that start as Express messages get the same bytes', () => {
  it('the life of a round', async () => {
    const sessionID = await base.newSession();
    // A key makes the second play the same round, and nothing else in this round depends on which
    // server is asked first.
    const bet = { sessionID, amount: 1_000_000, mode: 'BASE' };
    const calls = [
      post('/wallet/authenticate', { sessionID }),
      post('/wallet/balance', { sessionID }),
      post('/wallet/play', bet, 'Idempotency-Key: a-key\r\n'),
      post('/bet/event', { sessionID, event: 'ピック' }),
      post('/wallet/authenticate', { sessionID }),
      post('/wallet/end-round', { sessionID }),
    ];
    for (const call of calls) expect(await expectSameBytes(call)).toMatch(/^HTTP\/1\.1 (200|400) /);
    expect(await expectSameBytes(calls[2] ?? '')).toContain('"betID":');
  });

  it.each([
    post('/wallet/play', '{'),
    post('/wallet/play', { sessionID: 'x', amount: '1', mode: 'BASE' }),
    post('/wallet/play', 'x'.repeat(20_000)),
    post('/operator/games', {}),
    ...['GET /wallet/play', 'OPTIONS /wallet/play', 'HEAD /healthz', 'GET /nothing', 'GET /%ff'].map(
      (start) => `${start} HTTP/1.1\r\n${HEAD}\r\nOrigin: http://a.example\r\n\r\n`,
    ),
  ])('%.30s', async (request) => {
    expect(await expectSameBytes(request)).toMatch(/^HTTP\/1\.1 \d{3} /);
  });

  it('the requests start as Express messages', async () => {
    const born = new Promise<unknown>((resolve) => fast.prependOnceListener('request', resolve));
    await bytesOf(fast, `GET /healthz HTTP/1.1\r\n${HEAD}\r\n\r\n`);
    expect(Object.getPrototypeOf(await born)).toBe(app.request);
  });

  it('a published book', async () => {
    const path = `/bet/replay/fixture/1.0.0/BASE/${BOOK.pays150}`;
    expect(await expectSameBytes(`GET ${path} HTTP/1.1\r\n${HEAD}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
