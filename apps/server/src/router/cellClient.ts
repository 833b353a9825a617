import type { IncomingHttpHeaders } from 'node:http';
import type { Cell } from '@roundhouse/fleet';
import { FLEET_HEADER, readFleetVersion } from '@roundhouse/fleet';
import type { Logger } from 'pino';
import { type Dispatcher, errors, Pool } from 'undici';
import { createBreaker } from '../base/breaker.ts';
import { InvalidRequest } from '../base/http/readBody.ts';
import type { OutgoingHeaders } from './headers.ts';
import type { RouterMetrics } from './routerMetrics.ts';

export type CellRequest = {
  method: string;
  /** The path and query exactly as the client sent them. */
  path: string;
  headers: OutgoingHeaders;
  body: Buffer | undefined;
  /**
   * Time limit for the whole response in milliseconds, head and body together. The time for which
   * the reader of the body is slower than the cell does not count.
   */
  timeoutMs: number;
};

export type CellResponse = {
  kind: 'response';
  cell: Cell;
  status: number;
  headers: IncomingHttpHeaders;
  /** The caller reads it, pipes it or dumps it: until then it holds a connection. */
  body: Dispatcher.ResponseData['body'];
};

/** A cell does not respond. A person reads the reason. What the request did there is unknown. */
export type CellAway = { kind: 'away'; cell: Cell; reason: string };

export type CellOutcome = CellResponse | CellAway;

export type CellClient = {
  send(request: CellRequest): Promise<CellOutcome>;
  /** Whether the router sends the cell no requests now, because the last ones have failed. */
  isPaused(): boolean;
  close(): Promise<void>;
};

const CONNECTIONS = 256;
const CONNECT_MS = 2_000;
/** Servers and proxies keep an idle connection for longer, so that they do not close one in use. */
const KEEP_ALIVE_MS = 30_000;
/**
 * Time limit for the next piece of a response in milliseconds: exports are written while they are
 * sent.
 */
const SILENCE_MS = 30_000;
/** A page of 1,000 rows has as many cursors in one header. */
const MAX_HEAD_BYTES = 64 * 1024;
const FAILURES_IN_A_ROW = 3;
const PAUSE_MS = 2_000;
/** A proxy in front of a cell responds so when no node of the cell does. */
const OF_A_PROXY = new Set([502, 503, 504]);
const MS_PER_SECOND = 1_000;

export type CellClientDeps = { metrics: Pick<RouterMetrics, 'observeCell'>; log: Logger };

/**
 * Sends requests to one cell, each once. After some failures in a row the cell counts as away, and
 * one request in two seconds tries it: a cell that hangs costs the others no time.
 */
export function createCellClient(cell: Cell, { metrics, log }: CellClientDeps): CellClient {
  const { origin, pathname } = new URL(cell.url);
  const base = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_MS },
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: 0,
    bodyTimeout: SILENCE_MS,
  });
  const breaker = createBreaker<CellOutcome>({
    isFailure: ({ kind }) => kind === 'away',
    failuresInARow: FAILURES_IN_A_ROW,
    pauseMs: PAUSE_MS,
    onBreak: (last) =>
      log.warn({ cell: cell.name, reason: last.kind === 'away' ? last.reason : undefined }, 'a cell does not respond'),
    onReset: () => log.info({ cell: cell.name }, 'a cell responds again'),
  });
  const away = (reason: string): CellAway => ({ kind: 'away', cell, reason });

  const exchange = async ({ method, path, headers, body, timeoutMs }: CellRequest): Promise<CellOutcome> => {
    // The time includes the wait for a connection, which undici does not limit.
    const abort = new AbortController();
    const untilMs = performance.now() + timeoutMs;
    const timer = setTimeout(() => abort.abort(), timeoutMs);
    try {
      const response = await pool.request({
        method: method as Dispatcher.HttpMethod,
        path: base + path,
        headers,
        body: body ?? null,
        signal: abort.signal,
      });
      const { statusCode: status } = response;
      endLate(response.body, { untilMs, moreMs: timeoutMs });
      if (OF_A_PROXY.has(status) && response.headers[FLEET_HEADER] === undefined) {
        discard(response.body);
        return away(`status ${status}`);
      }
      return { kind: 'response', cell, status, headers: response.headers, body: response.body };
    } catch (error) {
      if (abort.signal.aborted) return away(`no response within ${timeoutMs / MS_PER_SECOND} s`);
      if (error instanceof errors.InvalidArgumentError) throw new InvalidRequest('the request cannot be read');
      return away(reasonOf(error));
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    async send(request) {
      const startedMs = performance.now();
      const outcome = (await breaker.run(() => exchange(request))) ?? away(PAUSED);
      metrics.observeCell({ cell: cell.name, outcome: labelOf(outcome), ms: performance.now() - startedMs });
      return outcome;
    },
    isPaused: breaker.isOpen,
    close: () => pool.close(),
  };
}

const PAUSED = 'its last requests have failed';

function labelOf(outcome: CellOutcome): 'responded' | 'misdirected' | 'away' {
  if (outcome.kind === 'away') return 'away';
  return outcome.status === 421 ? 'misdirected' : 'responded';
}

/** Returns a code of the system, for example ECONNREFUSED, and no address. */
function reasonOf(error: unknown): string {
  const { code, name } = error as Error & { code?: string };
  return code ?? name;
}

/**
 * Breaks a body off that is not over at that time, because the cell sends it too slowly. When the
 * reader is the slow one, it gets more time.
 */
function endLate(body: Dispatcher.ResponseData['body'], { untilMs, moreMs }: { untilMs: number; moreMs: number }) {
  let timer: NodeJS.Timeout;
  const look = () => {
    if (body.readableLength === 0) body.destroy(new errors.BodyTimeoutError());
    else timer = setTimeout(look, moreMs).unref();
  };
  timer = setTimeout(look, Math.max(0, untilMs - performance.now())).unref();
  body.once('close', () => clearTimeout(timer));
  // The reader of the body gets the error as well.
  body.on('error', () => {});
}

/** Frees the connection of a response that nobody reads. */
export function discard(body: Dispatcher.ResponseData['body']): void {
  // Nobody waits for it: it is over in time, whatever the cell does.
  body.dump().catch(() => {});
}

/** Returns the version of the fleet by which a cell has responded; undefined: it is in no fleet. */
export function fleetVersionOf({ headers }: Pick<CellResponse, 'headers'>): number | undefined {
  return readFleetVersion(headers[FLEET_HEADER]);
}
