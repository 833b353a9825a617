import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import v8 from 'node:v8';
import vm from 'node:vm';
import { expressMessages } from '@roundhouse/service';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { exchangeRaw } from '../../support/rawHttp.ts';

const app = express()
  .get('/json', (req, res) => res.json({ query: req.query, host: req.host, ip: req.ip, asks: req.accepts('json') }))
  .get('/file', (_req, res) => res.sendFile(import.meta.filename))
  .post('/text', express.text({ type: '*/*', limit: 100 }), (req, res) => res.status(201).type('text').send(req.body));

/** The server listens at the returned address until the end of the test. */
async function listen(server: http.Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([
  ...['GET /json?a[b]=1&c=2', 'HEAD /json', 'OPTIONS /json', 'GET /file', 'GET /nothing', 'GET /%ff', 'POST /text'],
])('a request that starts as an Express message gets the same bytes as one of node: %s', async (start) => {
  const bytesOf = async (server: http.Server) => {
    const request = `${start} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 6\r\n\r\na text`;
    return (await exchangeRaw(await listen(server), request)).replace(/^Date: .*$/m, 'Date');
  };
  const fast = http.createServer(expressMessages(app), app);
  const born = new Promise<unknown>((resolve) => fast.prependOnceListener('request', resolve));
  expect(await bytesOf(fast)).toBe(await bytesOf(http.createServer(app)));
  expect(Object.getPrototypeOf(await born)).toBe(app.request);
});

it('a request and its response are fast objects of V8, from the first byte to the last', async () => {
  v8.setFlagsFromString('--allow-natives-syntax');
  const isFast = vm.runInThisContext('(object) => %HasFastProperties(object)') as (object: object) => boolean;
  const seen: boolean[] = [];
  const watched = express().post('/text', express.text({ type: '*/*' }), (req, res) => {
    res.on('finish', () => seen.push(isFast(req), isFast(res)));
    res.set('X-Name', 'value').status(201).type('text').send(req.body);
  });
  const url = await listen(http.createServer(expressMessages(watched), watched));
  for (const body of ['a text', 'another', 'a third'])
    await (await fetch(`${url}/text`, { method: 'POST', body })).text();
  expect(seen).toEqual(Array(6).fill(true));
});
