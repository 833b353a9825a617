import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { rawGet } from '../support/rawGet.ts';
import { useOperator } from '../support/testOperator.ts';

const pageFolder = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-lobby-'));
writeFileSync(path.join(pageFolder, 'index.html'), '<h1>Lobby</h1>');
afterAll(() => rmSync(pageFolder, { recursive: true }));

const operator = useOperator({ gameOrigins: ['https://games.example.com'], pageFolder });

test('the lobby answers under the names of this machine only', async () => {
  const { port } = new URL(operator.url);
  const lobby = `${operator.url}/api/lobby`;
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'lobby.localhost']) {
    expect((await rawGet(lobby, { host })).status, host).toBe(200);
  }
  for (const host of ['evil.example.com', `127.0.0.1.evil.example.com:${port}`, 'localhost.evil.example.com', '%']) {
    expect(await rawGet(lobby, { host }), host).toMatchObject({
      status: 403,
      body: expect.stringContaining('ERR_VAL'),
    });
  }
});

test('and to pages of this machine only', async () => {
  const answerTo = (origin: string) => operator.api('POST', '/players', { playerID: 'x' }, { origin });
  expect((await answerTo('http://localhost:5173')).status).toBe(200);
  for (const origin of ['https://evil.example.com', 'null']) expect((await answerTo(origin)).status).toBe(403);
});

test('the wallet is called under any name, since its calls are signed', async () => {
  expect((await rawGet(`${operator.url}/wallet/none`, { host: 'operator:4001' })).status).toBe(404);
});

test('the page may show games of the server, and of nobody else', async () => {
  const response = await fetch(operator.url);
  expect([response.status, await response.text()]).toEqual([200, '<h1>Lobby</h1>']);
  const { headers } = response;
  const policy = headers.get('content-security-policy') ?? '';
  const { port } = new URL(operator.rgs.url);
  const frames = /frame-src ([^;]*)/.exec(policy)?.[1]?.split(' ');
  expect(frames).toEqual([
    "'self'",
    `http://localhost:${port}`,
    `http://127.0.0.1:${port}`,
    `https://localhost:${port}`,
    `https://127.0.0.1:${port}`,
    'https://games.example.com',
  ]);
  expect(policy).toContain("default-src 'self'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-powered-by')).toBeNull();
});

test('health', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const response = await fetch(operator.url + path);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  }
});

test('what is not there is 404', async () => {
  expect((await fetch(`${operator.url}/nothing-here`)).status).toBe(404);
});

test('a part of the page that there is not, and a path that cannot be read, are refused without a stack', async () => {
  for (const [path, headers, status] of [
    ['/index.html', { range: 'bytes=99999-' }, 416],
    ['/index.html', { 'if-match': '"another"' }, 412],
    ['/%E0%A4%A', {}, 404],
    ['/%00', {}, 404],
  ] as const) {
    const answer = await rawGet(operator.url + path, headers);
    expect({ path, status: answer.status, error: JSON.parse(answer.body).error }).toEqual({
      path,
      status,
      error: 'ERR_VAL',
    });
    expect(answer.body).not.toMatch(/node_modules|<pre>/);
    expect(answer.type).toBe('application/json; charset=utf-8');
  }
});
