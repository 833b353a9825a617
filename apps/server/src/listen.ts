import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { StartError } from './startError.ts';

export type Certificate = { key: string; cert: string };

export type Listener = { port: number; close(): Promise<void> };

type ListenOptions = { app: http.RequestListener; host: string; port: number; certificate: Certificate | undefined };

/** A client that sends its request more slowly than this is not one of ours. */
const REQUEST_TIMEOUT_MS = 30_000;
const IDLE_SWEEP_MS = 50;
/** How long a connection that has not brought a request may still bring one once we close. */
const SILENT_GRACE_MS = 500;
const TLS_HANDSHAKE_BYTE = 0x16;

/** Listens, and closes so that requests in flight get their answers. With a certificate the one port answers http and https. */
export async function listen({ app, host, port, certificate }: ListenOptions): Promise<Listener> {
  const plain = http.createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, app);
  const secure =
    certificate && https.createServer({ ...certificate, requestTimeout: REQUEST_TIMEOUT_MS }, app);
  const front = secure === undefined ? plain : createFront(plain, secure);
  const silent = watchSilent(front, secure === undefined ? [plain] : [plain, secure]);
  const bound = await bind(front, { host, port });
  return { port: bound, close: () => drain({ front, servers: secure ? [plain, secure] : [plain], silent }) };
}

/**
 * The connections that have not brought a request yet. Browsers open such ones in advance; node:http takes them for busy, and
 * its time-outs end with close(), so that one of them would keep a closing server waiting for ever.
 */
function watchSilent(front: net.Server, servers: readonly http.Server[]): ReadonlySet<net.Socket> {
  const silent = new Map<string, net.Socket>();
  return new Set(silent.values());
}

/**
 * One port for both, told apart by the first byte: front ends of this family put `https://` before a bare rgs_url or take
 * http for a loopback host, and local work must please both.
 */
function createFront(plain: http.Server, secure: https.Server): net.Server {
  return net.createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === TLS_HANDSHAKE_BYTE ? secure : plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  });
}

function bind(server: net.Server, { host, port }: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, { host, port })));
    server.listen(port, host, () => resolve((server.address() as net.AddressInfo).port));
  });
}

function explain(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): Error {
  if (error.code === 'EADDRINUSE')
    return new StartError(`Port ${port} on ${host} is in use. Choose another with --port.`);
  if (error.code === 'EACCES')
    return new StartError(`Port ${port} may not be used by this user. Choose another with --port.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StartError(`This machine has no address ${host}. Choose another with --host.`);
  }
  return error;
}

/** Takes no new connection, lets each request in flight finish, and closes connections as they fall idle. */
function drain(front: net.Server, servers: readonly http.Server[]): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => {
      for (const server of servers) server.closeIdleConnections();
    }, IDLE_SWEEP_MS);
    front.close(() => {
      clearInterval(sweep);
      resolve();
    });
  });
}
