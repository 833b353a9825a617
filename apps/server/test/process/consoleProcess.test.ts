import os from 'node:os';
import { beforeAll, expect, it } from 'vitest';
import { type ServeNode, startServe, succeed } from '../support/roundhouse.ts';
import { type ServedFixture, servedFixture } from '../support/servedFixture.ts';

let env: ServedFixture;
let node: ServeNode;
let consoleUrl: string;

beforeAll(async () => {
  env = await servedFixture('console');
  node = await startServe(['--workers', '1', '--console-port', '0'], { env });
  const [, url = ''] = await node.waitFor(/"console":"(http:[^"]+)"/);
  consoleUrl = url;
});

const linesOf = (): { pid: number; msg: string; route?: string }[] =>
  (node.output().match(/^\{.*\}$/gm) ?? []).map((line) => JSON.parse(line));

it('serves the console on its port, and nothing of it on the port of the players', async () => {
  expect((await fetch(`${consoleUrl}/admin/account`)).status).toBe(401);
  expect((await fetch(`${node.url}/admin/account`)).status).toBe(404);
  expect((await fetch(`${node.url}/api/auth/get-session`)).status).toBe(404);
  const page = await fetch(consoleUrl);
  expect(await page.text()).toContain('<title>');
  const policy = page.headers.get('content-security-policy');
  expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{24}'/);
  expect(policy).toContain("frame-ancestors 'none'");
});

it('adds a user by command, whose link is for the console', async () => {
  const words = ['user', 'add', '--email', 'ann@example.com', '--name', 'Ann', '--role', 'administrator'];
  expect(await succeed([...words, '--console-url', consoleUrl], { env })).toContain(`${consoleUrl}/welcome?token=`);
});

it('runs apart from the workers, and starts again on its port when it dies', async () => {
  await fetch(`${consoleUrl}/admin/account`);
  await node.waitFor(/"route":"\/admin\/account","status":401/);
  const { pid } = linesOf().find(({ route }) => route === '/admin/account') ?? { pid: 0 };
  expect(pid).toBeGreaterThan(0);
  expect(os.getPriority(pid), 'players come first').toBeGreaterThan(os.getPriority());
  await fetch(`${node.url}/healthz`, { headers: { 'x-request-id': 'of-a-worker' } });
  await node.waitFor(/of-a-worker/);
  process.kill(pid, 'SIGKILL');
  await node.waitFor(/the process of the console died/);
  await expect.poll(async () => (await fetch(`${consoleUrl}/admin/account`).catch(() => undefined))?.status).toBe(401);
  expect((await fetch(`${node.url}/healthz`)).status).toBe(200);
});

it('ends with its node', async () => {
  node.kill('SIGTERM');
  expect((await node.exited).code).toBe(0);
  await expect(fetch(consoleUrl)).rejects.toThrow();
});

it('does not start without the key of secrets', async () => {
  const keyless = { ...env, ROUNDHOUSE_SECRETS_KEY: '' };
  await expect(startServe(['--workers', '1', '--console-port', '0'], { env: keyless })).rejects.toThrow(
    'The console needs ROUNDHOUSE_SECRETS_KEY',
  );
});
