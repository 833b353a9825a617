import events from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { ClientConnections, type ClientLimits, type ConnectionsOptions, DEFAULT_LIMITS } from './clientConnections.ts';
import { StartError } from './runUntilStopped.ts';

export type Certificate = { key: string; cert: string };

type Listener = {
  port: number;
  /** A further connection is turned away. */
  isFull(): boolean;
  /** Returns whether its connection came while as many as allowed were open. */
  turnsAway(req: http.IncomingMessage): boolean;
  /**
   * Goes on listening, and closes every connection after its response, so that the client's next
   * connection may reach another process.
   */
  retire(): void;
  /**
   * Takes no new connection, and waits for the requests in flight, at most `limits.requestMs`. Then
   * it cuts their connections.
   */
  close(): Promise<void>;
};

type ListenOptions = Omit<ConnectionsOptions, 'limits'> & {
  /** The classes of requests and responses. The default is node's own. */
  messages?: Pick<http.ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
  host: string;
  port: number;
  /** Takes the next free port when this one is in use; a person has not chosen it. */
  orNextPort?: boolean | undefined;
  /** An error that another host or port would solve names how a person sets it. */
  setBy: { host: string; port: string };
  /** If set, the port serves https as well. The first TLS handshake reads it. */
  certificate?: (() => Promise<Certificate>) | undefined;
  /** Called for each handshake that a client ends, as a browser that refuses the certificate. */
  onHandshakeRefused?: (() => void) | undefined;
  limits?: Partial<ClientLimits> | undefined;
};

const MAX_PORT = 65_535;
/** The number of ports that are tried after the first one. */
const NEXT_PORTS = 100;
const IDLE_SWEEP_MS = 50;
/**
 * While the server closes, a connection without a request may still bring one for this time, in
 * milliseconds.
 */
const SILENT_GRACE_MS = 500;
const TLS_HANDSHAKE_BYTE = 0x16;
/** The client's own alert has such a code, for example ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN. */
const CLIENT_ALERT = /^ERR_SSL_.*_ALERT_/;

/**
 * Listens on one port. With a certificate it serves http and https. `close` waits a limited time
 * for the requests in flight.
 */
export async function listen(given: ListenOptions): Promise<Listener> {
  const { messages, certificate } = given;
  const limits = { ...DEFAULT_LIMITS, ...given.limits };
  const connections = new ClientConnections({ ...given, limits });
  const options = { ...messages, ...connections.serverOptions };
  const plain = http.createServer(options);
  const servers: http.Server[] = [plain];
  let front: net.Server = plain;
  if (certificate !== undefined) {
    const secure = https.createServer({ ...options, handshakeTimeout: limits.requestMs });
    secure.on('tlsClientError', (error: NodeJS.ErrnoException) => {
      if (CLIENT_ALERT.test(error.code ?? '')) given.onHandshakeRefused?.();
    });
    servers.push(secure);
    const prepare = () => certificate().then((value) => secure.setSecureContext(value));
    const warn = (err: unknown) => given.log.warn({ err }, 'https cannot be served: there is no certificate');
    front = createFront({ plain, secure, prepareOnce: once(prepare, warn), silentMs: limits.requestMs });
    // Only a server that listens looks for late requests, and these two never listen.
    for (const server of servers) server.emit('listening');
  }
  for (const server of servers) connections.serve(server);
  connections.accept(front);
  const port = await bind(front, given);
  const watched: Watched = { front, servers, connections, drainMs: limits.requestMs };
  return {
    port,
    isFull: () => connections.isFull,
    turnsAway: (req) => connections.turnsAway(req),
    retire: () => connections.retire(),
    close: () => drain(watched),
  };
}

/** Runs at the first call. Later calls get the same result. */
function once(run: () => Promise<void>, onFailure: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    if (running === undefined) {
      running = run();
      running.catch(onFailure);
    }
    return running;
  };
}

type Servers = { plain: http.Server; secure: https.Server; prepareOnce: () => Promise<void>; silentMs: number };

/**
 * One port for both, told apart by the first byte: some front ends put `https://` before a bare
 * rgs_url, others use http for a loopback host, and local work must serve both.
 */
function createFront({ plain, secure, prepareOnce, silentMs }: Servers): net.Server {
  return net.createServer((socket) => {
    const cut = () => socket.destroy();
    const handTo = (server: http.Server) => {
      server.emit('connection', socket);
      process.nextTick(() => socket.resume());
    };
    socket.on('error', cut).setTimeout(silentMs, cut);
    socket.once('data', (first: Buffer) => {
      socket.setTimeout(0, cut);
      socket.pause();
      socket.unshift(first);
      if (first[0] === TLS_HANDSHAKE_BYTE) prepareOnce().then(() => handTo(secure), cut);
      else handTo(plain);
    });
  });
}

type Place = Pick<ListenOptions, 'host' | 'port' | 'orNextPort' | 'setBy'>;

async function bind(server: net.Server, place: Place): Promise<number> {
  const last = place.orNextPort ? Math.min(place.port + NEXT_PORTS, MAX_PORT) : place.port;
  for (let port = place.port; ; port += 1) {
    try {
      server.listen(port, place.host);
      await events.once(server, 'listening');
      return (server.address() as net.AddressInfo).port;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE' || port >= last) throw explained(error as NodeJS.ErrnoException, { ...place, port });
    }
  }
}

function explained(error: NodeJS.ErrnoException, { host, port, setBy }: Place): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(`Port ${port} on ${host} is in use. Choose another with ${setBy.port}.`);
    case 'EACCES':
      return new StartError(`Port ${port} may not be used by this user. Choose another with ${setBy.port}.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`This machine has no address ${host}. Choose another with ${setBy.host}.`);
    default:
      return error;
  }
}

type Watched = { front: net.Server; servers: readonly http.Server[]; connections: ClientConnections; drainMs: number };

/**
 * Takes no new connection and closes connections as they become idle. Requests in flight have
 * `drainMs` to finish; then their connections are cut. Browsers open connections in advance.
 * node:http counts one without a request as busy, and close() ends its time-outs: it must be cut,
 * or it keeps the process for ever.
 */
function drain({ front, servers, connections, drainMs }: Watched): Promise<void> {
  return new Promise((resolve) => {
    const closingSinceMs = performance.now();
    const sweep = setInterval(() => {
      for (const server of servers) server.closeIdleConnections();
      const waitedMs = performance.now() - closingSinceMs;
      const onlySilentOnesAreLeft = waitedMs > SILENT_GRACE_MS && !connections.isBusy;
      if (onlySilentOnesAreLeft || waitedMs >= drainMs) connections.cutAll();
    }, IDLE_SWEEP_MS);
    front.close(() => {
      clearInterval(sweep);
      resolve();
    });
    // The two servers behind the shared port stop looking for late requests.
    for (const server of servers) if (server !== front) server.close();
  });
}
