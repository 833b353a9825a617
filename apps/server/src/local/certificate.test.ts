import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/roundhouse.ts';
import { devCertificate } from './certificate.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let dataFolder: string;

beforeEach(async () => {
  dataFolder = await temporaryFolder('certificate');
});

it('a client that trusts it accepts the server under each of its names', async () => {
  const certificate = await devCertificate({ dataFolder, hosts: ['casino.test', '0.0.0.0'] });
  const server = https.createServer(certificate, (_request, response) => response.end('served')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const get = (servername: string) =>
    once(https.get({ host: '127.0.0.1', port, ca: certificate.cert, servername, agent: false }), 'response');
  // A client sends no name for an address, and compares the address instead.
  for (const servername of ['localhost', '', 'casino.test']) {
    const [response] = await get(servername);
    expect((await response.toArray()).join('')).toBe('served');
  }
  await expect(get('other.test')).rejects.toThrow("does not match certificate's altnames");
  server.close();
});

it('is kept, readable by its owner only', async () => {
  const first = await devCertificate({ dataFolder, hosts: [] });
  expect(await devCertificate({ dataFolder, hosts: ['127.0.0.1'] })).toEqual(first);
  expect((await stat(path.join(dataFolder, 'certificate.json'))).mode & 0o777).toBe(0o600);
});

it('is renewed a month before it ends, for another host, and when it is damaged', async () => {
  const first = await devCertificate({ dataFolder, hosts: [] });
  expect(await devCertificate({ dataFolder, hosts: [], nowMs: Date.now() + 760 * DAY_MS })).toEqual(first);
  const second = await devCertificate({ dataFolder, hosts: [], nowMs: Date.now() + 780 * DAY_MS });
  expect(second).not.toEqual(first);
  const third = await devCertificate({ dataFolder, hosts: ['192.168.1.7'] });
  expect(third).not.toEqual(second);
  await writeFile(path.join(dataFolder, 'certificate.json'), '{"cert":"no"}');
  expect((await devCertificate({ dataFolder, hosts: [] })).cert).toContain('BEGIN CERTIFICATE');
});
