import { expect, it } from 'vitest';
import { listeningAddress, publicAddress } from './address.ts';

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
