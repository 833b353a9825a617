import { expect, it } from 'vitest';
import { listeningAddress, listensAt, loopbackOrigins, publicAddress } from './address.ts';

it.each([
  [{ host: '127.0.0.1', port: 4000, isSecure: false }, 'http://127.0.0.1:4000', '127.0.0.1:4000'],
  [{ host: '0.0.0.0', port: 4000, isSecure: false }, 'http://localhost:4000', 'localhost:4000'],
  [{ host: '::1', port: 4000, isSecure: true }, 'https://[::1]:4000', '[::1]:4000'],
  [{ host: '10.0.0.2', port: 4000, isSecure: false }, 'http://10.0.0.2:4000', 'http://10.0.0.2:4000'],
])('listening on %j', (where, url, rgsUrl) => expect(listeningAddress(where)).toEqual({ url, rgsUrl }));

it.each([
  ['https://rgs.example.com', 'rgs.example.com'],
  ['https://example.com:8443/rgs', 'example.com:8443/rgs'],
  ['http://localhost:4000', 'localhost:4000'],
  // Without a scheme, these addresses would mean the other scheme.
  ['http://rgs.example.com', 'http://rgs.example.com'],
  ['https://localhost:4000', 'https://localhost:4000'],
])('behind a proxy at %s', (url, rgsUrl) => expect(publicAddress(url)).toEqual({ url, rgsUrl }));

it.each([
  ['127.0.0.1', 'http://127.0.0.1:4010', { port: 4010, addresses: [] }],
  ['10.0.0.2', 'http://10.0.0.2:80', { port: 80, addresses: ['10.0.0.2'] }],
  ['0.0.0.0', 'https://localhost:443', { port: 443 }],
])('a node that listens on %s registers its port, and where others reach it', (host, url, registered) => {
  expect(listensAt(host, url)).toMatchObject({ host, ...registered });
  expect(listensAt(host, url).addresses).not.toContain('127.0.0.1');
});

it.each([
  ['http://localhost:4002', ['http://localhost:4002', 'http://127.0.0.1:4002', 'http://[::1]:4002']],
  ['http://127.0.0.1:4002', ['http://127.0.0.1:4002', 'http://[::1]:4002', 'http://localhost:4002']],
  ['https://console.example', ['https://console.example']],
])('the origins of %s on this machine', (origin, origins) => expect(loopbackOrigins(origin)).toEqual(origins));
