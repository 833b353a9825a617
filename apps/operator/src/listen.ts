import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Listener = { port: number; close(): Promise<void> };

/** A client that sends its request more slowly than this is not one of ours. */
const REQUEST_TIMEOUT_MS = 30_000;
const CHECK_MS = 5_000;
/** A client that takes nothing of an answer for this long, or keeps a connection without a word, is cut off. */
const STALLED_MS = 40_000;
const MAX_CONNECTIONS = 1_000;
/** Requests of one connection that may wait while another is answered. */
const MAX_WAITING = 16;
/** How long requests in flight may take to finish. */
const DRAIN_TIMEOUT_MS = 15_000;
const SWEEP_MS = 50;
/** How long a connection that has brought no request yet may still bring one while we close. */
const SILENT_GRACE_MS = 500;

/** Listens, and closes so that requests in flight get their answers. */
export async function listen(
  app: http.RequestListener,
  { host, port, stalledMs = STALLED_MS }: { host: string; port: number; stalledMs?: number },
): Promise<Listener> {
  const server = http.createServer({ requestTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: CHECK_MS });
  server.maxConnections = MAX_CONNECTIONS;
  const inFlight = answerInTurn(server, { app, stalledMs });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => drain(server, inFlight) };
}

type Exchange = { req: http.IncomingMessage; res: http.ServerResponse; awaitsContinue: boolean };

/**
 * Works on one request of a connection at a time, and tells how many are in flight. Node itself works on all of them at once, and never tells of
 * the end of an answer that stood behind another when the connection broke: what such an answer had opened would stay open for ever.
 */
function answerInTurn(
  server: http.Server,
  { app, stalledMs }: { app: http.RequestListener; stalledMs: number },
): () => number {
  let inFlight = 0;
  /** By connection, the one that is worked on first. */
  const lines = new WeakMap<Socket, Exchange[]>();

  function take(exchange: Exchange): void {
    const { socket } = exchange.req;
    const line = lines.get(socket) ?? [];
    lines.set(socket, line);
    if (!socket.writable) return;
    if (line.length > MAX_WAITING) return void socket.destroy();
    line.push(exchange);
    if (line.length === 1) work(exchange, line);
  }

  function work({ req, res, awaitsContinue }: Exchange, line: Exchange[]): void {
    inFlight += 1;
    res.once('close', () => {
      inFlight -= 1;
      line.shift();
      const [next] = line;
      // Without a socket of its own it stands behind an answer that has ended the connection.
      if (next !== undefined && next.res.socket !== null && !req.socket.destroyed) work(next, line);
      else line.length = 0;
    });
    // Node would write it at once, also into the middle of another answer.
    if (awaitsContinue) res.writeContinue();
    app(req, res);
  }

  server.on('request', (req, res) => take({ req, res, awaitsContinue: false }));
  server.on('checkContinue', (req, res) => take({ req, res, awaitsContinue: true }));
  server.timeout = stalledMs;
  server.on('timeout', (socket: Socket) => {
    const isOurTurn = (lines.get(socket)?.length ?? 0) > 0 && socket.writableLength === 0;
    if (isOurTurn) socket.setTimeout(stalledMs);
    else socket.destroy();
  });
  return () => inFlight;
}

/**
 * Takes no new connection and closes those that fall idle. Browsers open connections in advance, and node:http counts one that has brought
 * nothing yet as busy: such a one is cut, or it would keep the process for ever.
 */
function drain(server: http.Server, inFlight: () => number): Promise<void> {
  return new Promise((resolve) => {
    const sinceMs = performance.now();
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      const waitedMs = performance.now() - sinceMs;
      const onlySilentOnesAreLeft = waitedMs > SILENT_GRACE_MS && inFlight() === 0;
      if (onlySilentOnesAreLeft || waitedMs > DRAIN_TIMEOUT_MS) server.closeAllConnections();
    }, SWEEP_MS);
    server.close(() => {
      clearInterval(sweep);
      resolve();
    });
  });
}
