import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { pino } from 'pino';
import { generate } from 'selfsigned';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ClientLimits } from './clientConnections.ts';
import { listen } from './listen.ts';
import { createUnreadableResponse } from './unreadableRequest.ts';

it('a connection beyond the limit is closed; when another one ends there is room again', async () => {
  const port = await listenAlone({ maxConnections: 2 });
  const first = await connected(port);
  await connected(port);
  const third = await connected(port);
  await once(third.resume(), 'close');
  first.destroy();
  const status = async () => {
    const socket = bare(port);
    socket.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    await once(socket, 'close');
    return received.slice(0, 12);
  };
  await expect.poll(status).toBe('HTTP/1.1 200');
});

const bare = (port: number) => net.connect({ host: '127.0.0.1', port });

async function connected(port: number): Promise<net.Socket> {
  const socket = bare(port).on('error', () => {});
  await once(socket, 'connect');
  return socket.pause();
}

it.each<[string, (port: number) => net.Socket, string]>([
  ['says nothing', bare, ''],
  ['begins TLS and no more', bare, '\u0016'],
  ['says half of a request', bare, 'POST /wallet/play HTTP/1.1\r\n'],
  ['says nothing over TLS', (port) => tls.connect({ host: '127.0.0.1', port, rejectUnauthorized: false }), ''],
])('at a port for http and https a connection that %s is closed', async (_what, connect, bytes) => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 });
  const port = await listenAlone({ requestMs: 500 }, { certificate: async () => ({ key, cert }) });
  const socket = connect(port);
  socket.on('error', () => {}).resume();
  if (bytes !== '') socket.write(bytes);
  await once(socket, 'close');
});

it('a client that refuses the certificate is counted, and the certificate is read once', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 });
  const certificate = vi.fn(async () => ({ key, cert }));
  const onHandshakeRefused = vi.fn();
  const port = await listenAlone({}, { certificate, onHandshakeRefused });
  const hello = await clientHello();
  for (const times of [1, 2]) {
    const socket = bare(port);
    socket.on('error', () => {}).write(hello);
    await once(socket, 'data');
    socket.resume().write(CERTIFICATE_UNKNOWN);
    await expect.poll(() => onHandshakeRefused).toHaveBeenCalledTimes(times);
  }
  expect(certificate).toHaveBeenCalledTimes(1);
});

/** A browser sends this fatal alert of TLS 1.2. */
const CERTIFICATE_UNKNOWN = Buffer.from([21, 3, 3, 0, 2, 2, 46]);

/** Returns the first bytes of a TLS 1.2 client: it encrypts nothing before its end. */
async function clientHello(): Promise<Buffer> {
  const recorder = net.createServer().listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  const { port } = recorder.address() as net.AddressInfo;
  tls.connect({ host: '127.0.0.1', port, maxVersion: 'TLSv1.2' }).on('error', () => {});
  const [socket] = await once(recorder, 'connection');
  const [hello] = await once(socket, 'data');
  socket.destroy();
  recorder.close();
  return hello;
}

type Tls = Pick<Parameters<typeof listen>[0], 'certificate' | 'onHandshakeRefused'>;

/** Opens a listener without a server behind it, until the end of the test. */
async function listenAlone(limits: Partial<ClientLimits>, secure: Tls = {}): Promise<number> {
  const log = pino({ level: 'silent' });
  const { port, close } = await listen({
    app: (_req, res) => res.end('here'),
    host: '127.0.0.1',
    port: 0,
    setBy: { host: '--host', port: '--port' },
    ...secure,
    limits,
    log,
    unreadable: createUnreadableResponse({ log }),
  });
  onTestFinished(close);
  return port;
}
