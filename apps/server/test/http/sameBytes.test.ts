import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expressMessages } from '@roundhouse/service';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchangeRaw } from '../support/rawHttp.ts';

const app = express()
  .disable('x-powered-by')
  .get('/json', (req, res) => res.json({ query: req.query, host: req.host, ip: req.ip, asks: req.accepts('json') }))
  .get('/file', (_req, res) => res.sendFile(import.meta.filename))
  .get('/broken', () => {
    throw new Error('broken');
  })
  .post('/text', express.text({ type: '*/*', limit: 100 }), (req, res) => res.status(201).type('text').send(req.body));

/** One creates Express messages, the other node's, which Express converts. */
const fast = http.createServer(expressMessages(app), app);
const plain = http.createServer(app);
beforeAll(async () => {
  for (const server of [fast, plain]) await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => [fast, plain].map((server) => server.close()));

/** The whole response; the second in which it was given is not compared. */
async function bytesOf(server: http.Server, start: string, body: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const head = `${start} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
  return (await exchangeRaw(`http://127.0.0.1:${port}`, head + body)).replace(/^Date: .*$/m, 'Date');
}

it.each([
  ...[
    'GET /json?a[b]=1&c=2',
    'HEAD /json',
    'OPTIONS /json',
    'GET /file',
    'GET /broken',
    'GET /nothing',
    'GET /%ff',
  ].map((start) => [start, '']),
  ['POST /text', 'a text'],
  ['POST /text', 'x'.repeat(200)],
])('a request that starts as an Express message gets the same bytes: %s', async (start, body) => {
  const response = await bytesOf(fast, start, body);
  expect(response).toMatch(/^HTTP\/1\.1 \d{3} /);
  expect(response).toBe(await bytesOf(plain, start, body));
});

it('the requests start as Express messages', async () => {
  const born = new Promise<unknown>((resolve) => fast.prependOnceListener('request', resolve));
  await bytesOf(fast, 'GET /json', '');
  expect(Object.getPrototypeOf(await born)).toBe(app.request);
});
