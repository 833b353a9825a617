import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beingBuilt, setBeingBuilt } from './beingBuilt.ts';

const server = createServer(express().get('/docs', beingBuilt('docs')));
let url: string;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
});
afterAll(() => {
  setBeingBuilt([]);
  server.close();
});

it('says how long a page that is being built takes still, and loads itself again', async () => {
  setBeingBuilt([{ title: 'Documents & more', text: 'being built, 20 s', page: 'docs' }]);
  const response = await fetch(url);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await response.text()).toMatch(
    /http-equiv="refresh" content="2".*<p>Documents &amp; more: being built, 20 s$/,
  );
});

it('says nothing of a page that nobody builds', async () => {
  setBeingBuilt([{ title: 'Console', text: 'being built, 20 s', page: 'console' }]);
  expect((await fetch(url)).status).toBe(404);
});
