import type http from 'node:http';
import type net from 'node:net';
import type { Logger } from 'pino';

export type ClientLimits = {
  /** This many connections may be open at the same time; further ones are turned away. */
  maxConnections: number;
  /** Time limit for a request, from the first moment of its connection, in milliseconds. */
  requestMs: number;
  /**
   * Time in milliseconds for which a connection may be open while its client reads nothing of a
   * response, or sends no request.
   */
  stalledMs: number;
};

export const DEFAULT_LIMITS: ClientLimits = { maxConnections: 5_000, requestMs: 30_000, stalledMs: 40_000 };

/**
 * This many requests of a connection may wait while another one is processed. Browsers and proxies
 * do not pipeline. Each waiting request takes a few kilobytes, for the 25 bytes that it may be.
 */
const MAX_WAITING = 16;
/**
 * This is longer than the minute for which proxies and load balancers keep an idle connection, so
 * that they close it first.
 */
const KEEP_ALIVE_MS = 75_000;
/** Node looks for late requests at this interval. */
const CHECKS_PER_REQUEST = 6;
const WARNING_PAUSE_MS = 60_000;
/**
 * This many connections beyond the limit get a response: a refusal, or the health of the process.
 * Without them a full process would look dead. Further ones are closed at once.
 */
const SPARE_CONNECTIONS = 100;
/** Time in milliseconds for which one of them may be open without a request. */
const SPARE_MS = 2_000;
/**
 * Node's parser uses these codes. Any other code is a connection that is gone, or a failed TLS
 * handshake.
 */
const HTTP_FAULT = /^(?:HPE_|ERR_HTTP_)/;

export type UnreadableResponse = (fault: NodeJS.ErrnoException, socket: net.Socket) => string;

export type ConnectionsOptions = {
  app: http.RequestListener;
  limits: ClientLimits;
  /**
   * Returns the whole response to a request that node's parser cannot read, as it goes over the
   * wire.
   */
  unreadable: UnreadableResponse;
  log: Pick<Logger, 'warn'>;
};

type Exchange = { req: http.IncomingMessage; res: http.ServerResponse; awaitsContinue: boolean };

/**
 * A connection has at least one request. One request is processed, the rest wait: none is begun
 * whose response cannot be sent yet.
 */
type Line = {
  socket: net.Socket;
  current: http.ServerResponse | undefined;
  waiting: Exchange[];
  newest: http.IncomingMessage;
  /** Follows the responses that are still due, and ends the connection. */
  lastWords?: string;
};

/**
 * Keeps all open connections within their limits. They process one request at a time: Node does not
 * report a broken connection while an earlier response is pending (decision 003).
 */
export class ClientConnections {
  readonly #options: ConnectionsOptions;
  readonly #open = new Set<net.Socket>();
  readonly #lines = new WeakMap<net.Socket, Line>();
  readonly #busy = new Set<Line>();
  readonly #turnedAway = new WeakSet<http.IncomingMessage>();
  #isRetired = false;
  #warnedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Returns the options of node:http and node:https servers. */
  get serverOptions() {
    const { requestMs } = this.#options.limits;
    return {
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      connectionsCheckingInterval: Math.ceil(requestMs / CHECKS_PER_REQUEST),
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node's own response has no body.
      requireHostHeader: false,
    };
  }

  /** Manages every connection that comes to this port. */
  accept(front: net.Server): void {
    // Node's maxConnections does not help: a full worker hands a connection on to the next one, and
    // when all are full the connection circulates for ever.
    front.on('connection', (socket: net.Socket) => {
      if (this.isFull) this.#spare(socket);
      if (socket.destroyed) return;
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  /** A further connection is turned away. */
  get isFull(): boolean {
    return this.#open.size >= this.#options.limits.maxConnections;
  }

  /** Returns whether its connection came while as many as allowed were open. */
  turnsAway(req: http.IncomingMessage): boolean {
    return this.#turnedAway.has(req);
  }

  /** Processes the requests that this server parses. */
  serve(server: http.Server): void {
    server.timeout = this.#options.limits.stalledMs;
    server.on('request', (req, res) => this.#take({ req, res, awaitsContinue: false }));
    // Node would write its 100 at once, even into the middle of another response.
    server.on('checkContinue', (req, res) => this.#take({ req, res, awaitsContinue: true }));
    // Otherwise node responds to an unknown Expect itself, with its own status and an empty body.
    server.on('checkExpectation', (req, res) => this.#take({ req, res, awaitsContinue: false }));
    server.on('clientError', (fault: NodeJS.ErrnoException, socket) => this.#refuse(fault, socket as net.Socket));
    server.on('timeout', (socket) => this.#timedOut(socket));
  }

  /**
   * From now on every response closes its connection, so that the client's next connection may
   * reach another process.
   */
  retire(): void {
    this.#isRetired = true;
    for (const line of this.#busy) this.#announceClose(line);
  }

  get isBusy(): boolean {
    return this.#busy.size > 0;
  }

  cutAll(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #spare(socket: net.Socket): void {
    const { log, limits } = this.#options;
    if (this.#open.size >= limits.maxConnections + SPARE_CONNECTIONS) socket.destroy();
    else {
      const isOver = () => this.#open.size > limits.maxConnections && !this.#lines.has(socket);
      const timer = setTimeout(() => isOver() && socket.destroy(), SPARE_MS);
      socket.once('close', () => clearTimeout(timer));
    }
    const nowMs = performance.now();
    if (nowMs - this.#warnedAtMs < WARNING_PAUSE_MS) return;
    this.#warnedAtMs = nowMs;
    log.warn({ maxConnections: limits.maxConnections }, 'clients are turned away: too many connections are open');
  }

  #take(exchange: Exchange): void {
    const { socket } = exchange.req;
    // It ends after the response that is being sent: another one could not follow it.
    if (!socket.writable) return;
    const line = this.#lineOf(exchange.req);
    if (line.current === undefined) this.#work(line, exchange);
    else if (line.waiting.length < MAX_WAITING) line.waiting.push(exchange);
    else socket.destroy();
  }

  #lineOf(req: http.IncomingMessage): Line {
    const { socket } = req;
    const known = this.#lines.get(socket);
    if (known !== undefined) {
      known.newest = req;
      return known;
    }
    const line: Line = { socket, current: undefined, waiting: [], newest: req };
    this.#lines.set(socket, line);
    if (this.#open.size > this.#options.limits.maxConnections) this.#turnedAway.add(req);
    return line;
  }

  #work(line: Line, { req, res, awaitsContinue }: Exchange): void {
    line.current = res;
    this.#busy.add(line);
    res.once('close', () => this.#done(line));
    if (this.#isRetired || this.turnsAway(req)) this.#announceClose(line);
    if (awaitsContinue) res.writeContinue();
    this.#options.app(req, res);
  }

  #done(line: Line): void {
    line.current = undefined;
    const next = line.waiting.shift();
    // Without a socket it waits behind a response that has ended the connection.
    if (next !== undefined && next.res.socket !== null && !line.socket.destroyed) this.#work(line, next);
    else {
      line.waiting.length = 0;
      this.#busy.delete(line);
      if (line.lastWords !== undefined && line.socket.writable) end(line.socket, line.lastWords);
    }
  }

  #announceClose({ current, waiting }: Line): void {
    if (current !== undefined && waiting.length === 0 && !current.headersSent) current.setHeader('Connection', 'close');
  }

  /**
   * Responds to a request that node's parser cannot read, after the responses to earlier requests,
   * and ends the connection.
   */
  #refuse(fault: NodeJS.ErrnoException, socket: net.Socket): void {
    const line = this.#lines.get(socket);
    // Bytes after an unreadable request are unreadable too.
    if (socket.writableEnded || line?.lastWords !== undefined) return;
    const turn = socket.writable && HTTP_FAULT.test(fault.code ?? '') ? turnOf(line) : 'never';
    if (turn === 'never') return void socket.destroy();
    const lastWords = this.#options.unreadable(fault, socket);
    if (line === undefined || turn === 'now') end(socket, lastWords);
    else {
      line.waiting = line.waiting.filter(({ req }) => req.complete);
      line.lastWords = lastWords;
      socket.pause();
    }
  }

  #timedOut(socket: net.Socket): void {
    // The client waits for us, and we for a wallet or a database.
    const isOurTurn = this.#lines.get(socket)?.current !== undefined && socket.writableLength === 0;
    if (isOurTurn) socket.setTimeout(this.#options.limits.stalledMs);
    else socket.destroy();
  }
}

/**
 * Resolves when the response to unreadable bytes may be sent. They are in the body of the newest
 * request, or where the next request should be.
 */
function turnOf(line: Line | undefined): 'now' | 'last' | 'never' {
  if (line === undefined) return 'now';
  const { current, newest, waiting } = line;
  if (newest.complete) return current === undefined ? 'now' : 'last';
  if (waiting.at(-1)?.req === newest) return 'last';
  // A response that has begun belongs to this request.
  return current === undefined || current.headersSent ? 'never' : 'now';
}

function end(socket: net.Socket, lastWords: string): void {
  socket.write(lastWords);
  socket.destroySoon();
}
