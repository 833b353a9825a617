import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { expect, it } from 'vitest';
import { trustedProxiesOption } from '../../../src/cli/options/serveOptions.ts';
import { useTestServer } from '../../support/testServer.ts';

const CLIENT = '198.51.100.7';
const PROXY = '203.0.113.9';
const TRUSTED = ['loopback', '203.0.113.0/24'];

const server = useTestServer();

it.each<[trusted: string[], forwardedFor: string, logged: string]>([
  [[], CLIENT, '127.0.0.1'],
  [['10.0.0.0/8', PROXY], CLIENT, '127.0.0.1'],
  [TRUSTED, CLIENT, CLIENT],
  [TRUSTED, `${CLIENT}, ${PROXY}`, CLIENT],
  // The client may write addresses to the left of those that the proxies saw.
  [TRUSTED, `192.0.2.1, ${CLIENT}, ${PROXY}`, CLIENT],
])('with trusted proxies %j and X-Forwarded-For %s the log names %s', async (trustedProxies, forwardedFor, logged) => {
  const node = await server.startNode({ trustedProxies });
  const headers = { 'X-Request-Id': randomUUID(), 'X-Forwarded-For': forwardedFor };
  expect((await node.send('/metrics', { headers })).text).not.toContain(CLIENT);
  const line = () => server.logged().find(({ requestId }) => requestId === headers['X-Request-Id']);
  await expect.poll(() => line()?.ip).toBe(logged);
});

it.each(['0.0.0.0/0', '::/0', '10.0.0.0/33', '::1/129', '10.0.0.1/255.0.0.0', '10.0.0.0/8/8', 'loopback,,'])(
  '--trusted-proxies refuses %s',
  (list) => {
    expect(() => trustedProxiesOption().parseArg?.(list, [])).toThrow(InvalidArgumentError);
  },
);

it.each([
  ['loopback, uniquelocal,203.0.113.9 ,2001:db8::/32', ['loopback', 'uniquelocal', '203.0.113.9', '2001:db8::/32']],
  ['none', []],
])('--trusted-proxies reads %s', (list, proxies) => {
  expect(trustedProxiesOption().parseArg?.(list, [])).toEqual(proxies);
});
