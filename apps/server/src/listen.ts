import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { StartError } from './startError.ts';

export type Certificate = { key: string; cert: string };

export type Listener = {
  port: number;
  /** Goes on listening, and tells every connection to close after its answer: who comes next finds its way anew. */
  retire(): void;
  /** Takes no new connection, and waits for the requests in flight. */
  close(): Promise<void>;
};

type ListenOptions = {
  app: http.RequestListener;
  /** What requests and responses are made with; node's own when left out. */
  messages?: Pick<http.ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
  host: string;
  port: number;
  certificate: Certificate | undefined;
};

/** A client that sends its request more slowly than this is not one of ours. */
const REQUEST_TIMEOUT_MS = 30_000;
const IDLE_SWEEP_MS = 50;
/** How long a connection that has brought no request yet may still bring one while we close. */
const SILENT_GRACE_MS = 500;
const TLS_HANDSHAKE_BYTE = 0x16;

/** Listens, and closes so that requests in flight get their answers. With a certificate the one port answers http and https. */
export async function listen({ app, messages, host, port, certificate }: ListenOptions): Promise<Listener> {
  const traffic: Traffic = { connections: new Set(), unanswered: new Set(), isRetired: false };
  const handler = counted(app, traffic);
  const options = { ...messages, requestTimeout: REQUEST_TIMEOUT_MS };
  const plain = http.createServer(options, handler);
  // Else node answers an unknown Expect by itself, with a status and an empty body that are none of ours.
  plain.on('checkExpectation', handler);
  if (certificate === undefined) {
    const bound = await bind(plain, { host, port });
    return { port: bound, ...watch({ front: plain, servers: [plain], traffic }) };
  }
  const secure = https.createServer({ ...certificate, ...options }, handler);
  secure.on('checkExpectation', handler);
  const front = createFront(plain, secure);
  const bound = await bind(front, { host, port });
  return { port: bound, ...watch({ front, servers: [plain, secure], traffic }) };
}

type Traffic = { connections: Set<net.Socket>; unanswered: Set<http.ServerResponse>; isRetired: boolean };

function counted(app: http.RequestListener, traffic: Traffic): http.RequestListener {
  return (req, res) => {
    traffic.unanswered.add(res);
    res.once('close', () => traffic.unanswered.delete(res));
    if (traffic.isRetired) res.setHeader('Connection', 'close');
    app(req, res);
  };
}

function retire(traffic: Traffic): void {
  traffic.isRetired = true;
  for (const res of traffic.unanswered) if (!res.headersSent) res.setHeader('Connection', 'close');
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

type Watched = { front: net.Server; servers: readonly http.Server[]; traffic: Traffic };

/** Knows every connection from now on; answers what ends them. */
function watch(watched: Watched): Pick<Listener, 'retire' | 'close'> {
  const { front, traffic } = watched;
  front.on('connection', (socket) => {
    traffic.connections.add(socket);
    socket.once('close', () => traffic.connections.delete(socket));
  });
  return { retire: () => retire(traffic), close: () => drain(watched) };
}

/**
 * Takes no new connection, lets each request in flight finish, and closes connections as they fall idle. Browsers open
 * connections in advance, and node:http counts one that has brought nothing yet as busy while close() ends its time-outs: such
 * a one must be cut, or it keeps the process for ever.
 */
function drain({ front, servers, traffic }: Watched): Promise<void> {
  return new Promise((resolve) => {
    const closingSinceMs = performance.now();
    const sweep = setInterval(() => {
      for (const server of servers) server.closeIdleConnections();
      const waitedMs = performance.now() - closingSinceMs;
      const onlySilentOnesAreLeft = waitedMs > SILENT_GRACE_MS && traffic.unanswered.size === 0;
      if (!onlySilentOnesAreLeft && waitedMs < REQUEST_TIMEOUT_MS) return;
      for (const socket of traffic.connections) socket.destroy();
    }, IDLE_SWEEP_MS);
    front.close(() => {
      clearInterval(sweep);
      resolve();
    });
  });
}
