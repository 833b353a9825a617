import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { beforeAll, expect, test } from 'vitest';
import { trustedProxiesOption } from '../../src/cli/serveOptions.ts';
import { expectOneLine, type Roundhouse, runRoundhouse, startServe, stop } from '../support/roundhouse.ts';
import { servedFixture } from '../support/servedFixture.ts';

type Node = Roundhouse & { url: string };

let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  env = await servedFixture('proxies');
});

/** The address that the log gives for a request which came over loopback and says that it came this way. */
async function loggedAddress(node: Node, forwardedFor: string): Promise<string> {
  const requestId = randomUUID();
  const headers = { 'X-Request-Id': requestId, 'X-Forwarded-For': forwardedFor };
  await (await fetch(`${node.url}/healthz`, { headers })).text();
  const [line] = await node.waitFor(new RegExp(`^.*"requestId":"${requestId}".*$`, 'm'));
  return JSON.parse(line).ip;
}

const CLIENT = '198.51.100.7';
const PROXY = '203.0.113.9';

test('whoever is not trusted cannot say what its address is', async () => {
  const trustsNobody = await startServe(['--workers', '1'], { env });
  expect(await loggedAddress(trustsNobody, CLIENT)).toBe('127.0.0.1');
  await stop(trustsNobody);
  const trustsOthers = await startServe(['--workers', '1', '--trusted-proxies', '10.0.0.0/8,203.0.113.9'], { env });
  expect(await loggedAddress(trustsOthers, CLIENT)).toBe('127.0.0.1');
  await stop(trustsOthers);
});

test('of what a trusted proxy says, the nearest address that is not trusted counts', async () => {
  const node = await startServe(['--workers', '1'], {
    env: { ...env, ROUNDHOUSE_TRUSTED_PROXIES: 'loopback, 203.0.113.0/24' },
  });
  expect(await loggedAddress(node, CLIENT)).toBe(CLIENT);
  expect(await loggedAddress(node, `${CLIENT}, ${PROXY}`)).toBe(CLIENT);
  // What the client itself wrote stands to the left of what the proxies saw.
  expect(await loggedAddress(node, `192.0.2.1, ${CLIENT}, ${PROXY}`)).toBe(CLIENT);

  const metrics = await (await fetch(`${node.url}/metrics`, { headers: { 'X-Forwarded-For': CLIENT } })).text();
  expect(metrics).not.toContain(CLIENT);
  await stop(node);
});

test('a list that cannot be meant is refused', async () => {
  const { parseArg: parse } = trustedProxiesOption();
  for (const list of [
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.1/255.0.0.0',
    '10.0.0.0/8/8',
    'loopback,,',
  ]) {
    expect(() => parse?.(list, []), list).toThrow(InvalidArgumentError);
  }
  expect(parse?.('loopback, uniquelocal,203.0.113.9 ,2001:db8::/32', [])).toEqual([
    'loopback',
    'uniquelocal',
    '203.0.113.9',
    '2001:db8::/32',
  ]);
  expect(parse?.('none', [])).toEqual([]);
  const refused = await runRoundhouse(['serve'], { env: { ...env, ROUNDHOUSE_TRUSTED_PROXIES: 'proxy.example.com' } });
  expectOneLine(
    refused,
    /from env 'ROUNDHOUSE_TRUSTED_PROXIES' is invalid\. "proxy\.example\.com" is none of: an address/,
  );
});
