import { type Client, DatabaseError } from 'pg';
import type { Host } from './hosts.ts';
import { isIdle, isSame, pidOf, type Server, socketOf } from './postgresServer.ts';

/** PostgreSQL may still work for a connection that we lost. */
type Lost = { pid: number; server: Server | undefined };

/** The process waits this long, in milliseconds. A silenceMs of 0 is without end. */
export type WatchLimits = { connectMs: number; silenceMs: number };

type Watched = { limits: WatchLimits; host: Host; server?: Server; bytesRead: number; silentMs: number };

/** No host takes writes now. */
export class NoWriter extends Error {
  override name = 'NoWriter';
}

const TICK_MS = 250;
/** A connection that is silent for this time may have lost its server. */
const SUSPECT_MS = 1_000;
/**
 * These are read_only_sql_transaction, admin_shutdown, crash_shutdown, cannot_connect_now, and the
 * broken connections of class 08.
 */
const SERVER_GONE = new Set(['25006', '57P01', '57P02', '57P03', '08000', '08001', '08003', '08004', '08006', '08007']);
/** pg says this in place of sending a statement, when the connection has broken before. */
const NOT_SENT = /^Client (?:has encountered a connection error|was closed) and is not queryable$/;

const lostConnections = new WeakMap<Error, Lost>();

/** Returns the connection that broke with this error; undefined for every other error. */
export function lostConnectionOf(error: unknown): Lost | undefined {
  return error instanceof Error ? lostConnections.get(error) : undefined;
}

/**
 * Whether the connection broke, or could not be made: nobody knows what became of the statement.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseError) return SERVER_GONE.has(error.code ?? '');
  if (error instanceof NoWriter || lostConnections.has(error) || NOT_SENT.test(error.message)) return true;
  return isConnectionLost(error.cause);
}

/** Watches the connections to the database: which have broken, which are silent. */
export class ConnectionWatch {
  readonly #clients = new Map<Client, Watched>();
  /** Called when the server of a connection may be gone. */
  readonly #suspect: () => void;
  #watching: NodeJS.Timeout | undefined;

  constructor(suspect: () => void) {
    this.#suspect = suspect;
  }

  /** Watches a client, which has not connected yet, until its connection ends. */
  watch(client: Client, limits: WatchLimits, host: Host): void {
    const watched: Watched = { limits, host, bytesRead: 0, silentMs: 0 };
    this.#clients.set(client, watched);
    this.#watching ??= setInterval(() => this.#tick(), TICK_MS).unref();
    client.once('end', () => this.#clients.delete(client));
    client.on('error', (error: Error) => {
      const isDropped = !this.#clients.delete(client);
      const pid = pidOf(client);
      if (pid !== null) lostConnections.set(error, { pid, server: watched.server });
      if (!isDropped) this.#suspect();
    });
    client.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (SERVER_GONE.has(code ?? '')) this.#suspect();
    });
  }

  /** The client could not connect. */
  refused(client: Client, error: Error): void {
    this.#clients.delete(client);
    if (!(error instanceof DatabaseError)) lostConnections.set(error, { pid: 0, server: undefined });
    if (isConnectionLost(error)) this.#suspect();
  }

  /** Returns where a watched client connects to; undefined when it is watched no more. */
  hostOf(client: Client): Host | undefined {
    return this.#clients.get(client)?.host;
  }

  /** Notes which server the client has reached. */
  identify(client: Client, server: Server): void {
    const watched = this.#clients.get(client);
    if (watched !== undefined) watched.server = server;
  }

  /** Closes all connections, or those to other servers than this one. */
  closeOthers(kept?: Server): void {
    for (const [client, { server, host }] of this.#clients) {
      const isKept = kept !== undefined && (server === undefined ? host === kept.host : isSame(server, kept));
      if (isKept) continue;
      this.#clients.delete(client);
      socketOf(client).destroy(new NoWriter('the database is another server than before'));
    }
  }

  /** The returned function says whether a host has sent anything on a watched connection since. */
  listenTo(host: Host): () => boolean {
    const readFrom = () => [...this.#clients].filter(([, watched]) => watched.host === host);
    const before = new Map(readFrom().map(([client]) => [client, socketOf(client).bytesRead]));
    return () => readFrom().some(([client]) => socketOf(client).bytesRead > (before.get(client) ?? 0));
  }

  stop(): void {
    clearInterval(this.#watching);
  }

  #tick(): void {
    for (const [client, watched] of this.#clients) {
      const { bytesRead, writableEnded } = socketOf(client);
      // A connection without a query may be silent, for example one that listens.
      if ((isIdle(client) && !writableEnded) || bytesRead !== watched.bytesRead) {
        watched.silentMs = 0;
        watched.bytesRead = bytesRead;
        continue;
      }
      watched.silentMs += TICK_MS;
      const { silentMs, limits, host } = watched;
      // A migration or a report has no limit.
      if (limits.silenceMs === 0) continue;
      if (silentMs >= limits.silenceMs) {
        this.#endSilence(client, host, limits);
        this.#suspect();
      } else if (silentMs % SUSPECT_MS === 0) this.#suspect();
    }
  }

  /** When one is silent the idle ones are too: each would delay another player. */
  #endSilence(silent: Client, host: Host, { silenceMs }: WatchLimits): void {
    for (const [client, watched] of this.#clients) {
      if (client !== silent && !(watched.host === host && isIdle(client))) continue;
      // Each connection gets its own error, because an error leads to the connection that it broke.
      socketOf(client).destroy(new Error(`the database has not answered for ${silenceMs} ms`));
    }
  }
}
