import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { rawGet } from '../support/http.ts';
import { useOperator } from '../support/testOperator.ts';

const pageFolder = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-lobby-'));
writeFileSync(path.join(pageFolder, 'index.html'), '<h1>Lobby</h1>');
afterAll(() => rmSync(pageFolder, { recursive: true }));

const operator = useOperator({ gameOrigins: ['https://games.example.com'], pageFolder });
const portOf = (url: string) => new URL(url).port;

it('the lobby serves the hosts of this machine only', async () => {
  const port = portOf(operator.url);
  const get = (host: string) => rawGet(`${operator.url}/api/lobby`, { host });
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'lobby.localhost']) {
    expect((await get(host)).status, host).toBe(200);
  }
  for (const host of [
    'evil.example.com',
    'evil.example.com.',
    `127.0.0.1.evil.example.com:${port}`,
    'localhost.evil.example.com',
    '%',
  ]) {
    const response = await rawGet(`${operator.url}/api/lobby`, { host, 'x-forwarded-host': 'localhost' });
    expect(response, host).toMatchObject({ status: 403, body: expect.stringContaining('ERR_VAL') });
  }
});

it('the page learns where players reach the game server', async () => {
  expect((await operator.api('GET', '/lobby')).body.rgsUrl).toBe('https://games.example.com');
});

it('and pages of this machine only', async () => {
  for (const [origin, status] of [
    ['http://localhost:5173', 200],
    ['https://evil.example.com', 403],
    ['null', 403],
  ] as const) {
    // This also covers the studio bench, and a body that needs no preflight.
    for (const path of ['/players', '/players/x/balance']) {
      const headers = { origin, 'Content-Type': status === 200 ? 'application/json' : 'text/plain' };
      const response = await operator.api('POST', path, { playerID: 'x', currency: 'USD', amount: 1 }, headers);
      expect(response.status, `${origin} ${path}`).toBe(status);
    }
  }
});

it('the wallet serves any host, since its requests are signed', async () => {
  expect((await rawGet(`${operator.url}/wallet/none`, { host: 'operator:4001' })).status).toBe(404);
});

it('the page may show games of the server, and of no other origin', async () => {
  const response = await fetch(operator.url);
  expect([response.status, await response.text()]).toEqual([200, '<h1>Lobby</h1>']);
  const { headers } = response;
  const policy = headers.get('content-security-policy') ?? '';
  const port = portOf(operator.rgs.url);
  expect(/frame-src ([^;]*)/.exec(policy)?.[1]?.split(' ')).toEqual([
    "'self'",
    `http://localhost:${port}`,
    `http://127.0.0.1:${port}`,
    `https://localhost:${port}`,
    `https://127.0.0.1:${port}`,
    'https://games.example.com',
    // With the studio bench a front end may be on any port, such as Vite's.
    'http://localhost:*',
    'http://127.0.0.1:*',
    'https://localhost:*',
    'https://127.0.0.1:*',
  ]);
  expect(policy).toContain("default-src 'self'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-powered-by')).toBeNull();
});

it.each(['/healthz', '/readyz'])('%s', async (path) => {
  const response = await fetch(operator.url + path);
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});

it.each([
  ['/nothing-here', {}, 404],
  ['/index.html', { range: 'bytes=99999-' }, 416],
  ['/index.html', { 'if-match': '"another"' }, 412],
  ['/%E0%A4%A', {}, 404],
  ['/%00', {}, 404],
])('%s with %j is refused without a stack', async (path, headers, status) => {
  const response = await rawGet(operator.url + path, { ...headers });
  expect([response.status, JSON.parse(response.body).error]).toEqual([status, 'ERR_VAL']);
  expect(response.body).not.toMatch(/node_modules|<pre>/);
  expect(response.type).toBe('application/json; charset=utf-8');
});
