import type http from 'node:http';
import type net from 'node:net';
import type { Logger } from 'pino';

export type ClientLimits = {
  /** Open at the same time; whoever comes then is turned away. */
  maxConnections: number;
  /** How long a request may take to arrive, from the first moment of its connection. In milliseconds, as the next. */
  requestMs: number;
  /** How long a connection may be open without a sign of its client: one that takes nothing of an answer, or asks nothing. */
  stalledMs: number;
};

export const DEFAULT_LIMITS: ClientLimits = { maxConnections: 5_000, requestMs: 30_000, stalledMs: 40_000 };

/**
 * Requests of one connection that may wait while another is answered. Browsers and proxies send none ahead; each that waits takes a few
 * kilobytes, for the 25 bytes that it may be.
 */
const MAX_WAITING = 16;
/** Longer than the minute for which proxies and load balancers keep an idle connection: theirs must end first. */
const KEEP_ALIVE_MS = 75_000;
/** Node looks this often for requests that are late. */
const CHECKS_PER_REQUEST = 6;
const WARNING_PAUSE_MS = 60_000;
/** Of node's parser; anything else is a connection that is gone, or a TLS one that never was. */
const HTTP_FAULT = /^(?:HPE_|ERR_HTTP_)/;

export type UnreadableAnswer = (fault: NodeJS.ErrnoException, socket: net.Socket) => string;

export type ConnectionsOptions = {
  app: http.RequestListener;
  limits: ClientLimits;
  /** The whole answer to what node's parser cannot read, as it goes over the wire. */
  unreadable: UnreadableAnswer;
  log: Pick<Logger, 'warn'>;
};

type Exchange = { req: http.IncomingMessage; res: http.ServerResponse; awaitsContinue: boolean };

/** A connection that has brought a request. One is worked on, and the rest waits: nothing is begun whose answer cannot be sent yet. */
type Line = {
  socket: net.Socket;
  current: http.ServerResponse | undefined;
  waiting: Exchange[];
  newest: http.IncomingMessage;
  /** What follows the answers that are still due, and ends the connection. */
  lastWords?: string;
};

/**
 * Everything that is open, each within its limits. Node itself works on all the requests of a connection at once, and never tells of the end
 * of an answer that stood behind another when the connection broke: whatever such an answer had opened would stay open for ever.
 */
export class ClientConnections {
  readonly #options: ConnectionsOptions;
  readonly #open = new Set<net.Socket>();
  readonly #lines = new WeakMap<net.Socket, Line>();
  readonly #busy = new Set<Line>();
  #isRetired = false;
  #warnedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** What node:http and node:https servers are made with. */
  get serverOptions() {
    const { requestMs } = this.#options.limits;
    return {
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      connectionsCheckingInterval: Math.ceil(requestMs / CHECKS_PER_REQUEST),
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node's own answer has no body.
      requireHostHeader: false,
    };
  }

  /** Sees to every connection that comes to this port. */
  accept(front: net.Server): void {
    // Not by node's maxConnections: a worker that is full hands a connection on to the next, and when all are full it goes round for ever.
    front.on('connection', (socket: net.Socket) => {
      if (this.#open.size >= this.#options.limits.maxConnections) return this.#turnAway(socket);
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  /** Answers the requests that this server reads. */
  serve(server: http.Server): void {
    server.timeout = this.#options.limits.stalledMs;
    server.on('request', (req, res) => this.#take({ req, res, awaitsContinue: false }));
    // Node would write its 100 at once, also into the middle of another answer.
    server.on('checkContinue', (req, res) => this.#take({ req, res, awaitsContinue: true }));
    // Else node answers an unknown Expect by itself, with a status and an empty body that are none of ours.
    server.on('checkExpectation', (req, res) => this.#take({ req, res, awaitsContinue: false }));
    server.on('clientError', (fault: NodeJS.ErrnoException, socket) => this.#refuse(fault, socket as net.Socket));
    server.on('timeout', (socket) => this.#timedOut(socket));
  }

  /** From now on every connection is told to close after its answer: who comes next finds its way anew. */
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

  #turnAway(socket: net.Socket): void {
    socket.destroy();
    const nowMs = performance.now();
    if (nowMs - this.#warnedAtMs < WARNING_PAUSE_MS) return;
    this.#warnedAtMs = nowMs;
    const { log, limits } = this.#options;
    log.warn({ maxConnections: limits.maxConnections }, 'clients are turned away: too many connections are open');
  }

  #take(exchange: Exchange): void {
    const { socket } = exchange.req;
    // It ends after an answer that is on its way: another could not be sent.
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
    return line;
  }

  #work(line: Line, { req, res, awaitsContinue }: Exchange): void {
    line.current = res;
    this.#busy.add(line);
    res.once('close', () => this.#done(line));
    if (this.#isRetired) this.#announceClose(line);
    if (awaitsContinue) res.writeContinue();
    this.#options.app(req, res);
  }

  #done(line: Line): void {
    line.current = undefined;
    const next = line.waiting.shift();
    // Without a socket of its own it stands behind an answer that has ended the connection.
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

  /** Answers what node's parser cannot read, after the answers to what came before it, and ends the connection. */
  #refuse(fault: NodeJS.ErrnoException, socket: net.Socket): void {
    const line = this.#lines.get(socket);
    // What still comes after a fault is one more.
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
    // It is we who let the client wait: for a wallet, for a database.
    const isOurTurn = this.#lines.get(socket)?.current !== undefined && socket.writableLength === 0;
    if (isOurTurn) socket.setTimeout(this.#options.limits.stalledMs);
    else socket.destroy();
  }
}

/** When a fault may be answered. It is in the body of the newest request, or in what should have been the next one. */
function turnOf(line: Line | undefined): 'now' | 'last' | 'never' {
  if (line === undefined) return 'now';
  const { current, newest, waiting } = line;
  if (newest.complete) return current === undefined ? 'now' : 'last';
  if (waiting.at(-1)?.req === newest) return 'last';
  // An answer that has begun is the one to this request.
  return current === undefined || current.headersSent ? 'never' : 'now';
}

function end(socket: net.Socket, lastWords: string): void {
  socket.write(lastWords);
  socket.destroySoon();
}
