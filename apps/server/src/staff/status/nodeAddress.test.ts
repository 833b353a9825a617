import { expect, it } from 'vitest';
import { isAsked, registeredUrlOf } from './nodeAddress.ts';

const HERE = 'here.example';

function node(name: string, host: string, port: number) {
  return { node: name, settings: { host: { value: host }, port: { value: port } } };
}

function registered(name: string, host: string, addresses: string[]) {
  return { ...node(name, host, 0), listens: { host, port: 4010, addresses } };
}

it.each<[url: string, start: Parameters<typeof isAsked>[0], asked: boolean]>([
  ['http://127.0.0.1:4000', node('here.example#7', '127.0.0.1', 4000), true],
  ['http://localhost:4000', node('here.example#7', '0.0.0.0', 4000), true],
  ['http://[::1]:4000', node('here.example#7', '::', 4000), true],
  ['http://HERE.example:4000', node('here.example#7', '0.0.0.0', 4000), true],
  ['http://127.0.0.1:4001', node('here.example#7', '127.0.0.1', 4000), false],
  ['http://there:4000', node('there#7', '0.0.0.0', 4000), true],
  ['http://10.0.0.2:4000', node('there#7', '10.0.0.2', 4000), true],
  ['http://[fd00::2]:4000', node('there#7', 'fd00::2', 4000), true],
  ['http://127.0.0.1:4000', node('there#7', '127.0.0.1', 4000), false],
  ['http://there', node('there#7', '0.0.0.0', 80), true],
  ['https://there', node('there#7', '0.0.0.0', 443), true],
  ['http://there:4000', node('there#7', '0.0.0.0', 0), false],
  ['http://there:4000', { node: 'there#7' }, false],
])('%s asks %j: %s', (url, start, asked) => {
  expect(isAsked(start, ['http://elsewhere:1', url], HERE)).toBe(asked);
});

it.each<[what: string, start: Parameters<typeof isAsked>[0], url: string | undefined]>([
  ['on the loopback of this machine', registered('here.example#7', '127.0.0.1', []), 'http://127.0.0.1:4010'],
  ['on all addresses of this machine', registered('here.example#7', '0.0.0.0', ['10.0.0.1']), 'http://127.0.0.1:4010'],
  ['on one address of this machine', registered('here.example#7', '10.0.0.1', ['10.0.0.1']), 'http://10.0.0.1:4010'],
  ['on all addresses of another machine', registered('there#7', '::', ['10.0.0.2', 'fd00::2']), 'http://10.0.0.2:4010'],
  ['on an IPv6 address of another machine', registered('there#7', 'fd00::2', ['fd00::2']), 'http://[fd00::2]:4010'],
  ['on another machine without a network', registered('there#7', '0.0.0.0', []), 'http://there:4010'],
  ['on the loopback of another machine', registered('there#7', 'localhost', []), undefined],
  ['of an earlier version', node('here.example#7', '127.0.0.1', 4000), undefined],
])('a node %s is asked at %s', (_what, start, url) => {
  expect(registeredUrlOf(start, HERE)).toBe(url);
  if (url !== undefined) expect(isAsked(start, [url], HERE)).toBe(true);
});
