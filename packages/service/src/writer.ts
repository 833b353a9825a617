import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { type Host, readHosts } from './hosts.ts';
import { StartError } from './runUntilStopped.ts';

/** A running PostgreSQL: another one after each restart and each promotion. */
type Server = { host: Host; startedAt: string; timeline: string };

/** A connection that PostgreSQL may still work for, although we lost it. */
type Lost = { pid: number; server: Server | undefined };

/** How long we wait, in milliseconds; silenceMs: 0 is without end. */
export type WatchLimits = { connectMs: number; silenceMs: number };

/** responds: it is there, and says something else than that it is gone, or works for others. */
type Found = { host: Host; server?: Server; issue?: string; responds?: boolean };

type Watched = { limits: WatchLimits; host: Host; server?: Server; bytesRead: number; silentMs: number };

/** No host takes writes now. */
export class NoWriter extends Error {
  override name = 'NoWriter';
}

const TICK_MS = 250;
/** A connection that is silent for so long may have lost its server: we look for another one. */
const SUSPECT_MS = 1_000;
/** How long a host may take to say what it is, and how long after another one that takes writes. */
const LOOK_MS = 2_000;
const GRACE_MS = 200;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 250;
const RETRY_PAUSE_MS = 20;
/**
 * read_only_sql_transaction, admin_shutdown, crash_shutdown, cannot_connect_now, and the broken
 * connections of class 08.
 */
const SERVER_GONE = new Set(['25006', '57P01', '57P02', '57P03', '08000', '08001', '08003', '08004', '08006', '08007']);
/** What pg says in place of sending a statement, when the connection has broken before. */
const NOT_SENT = /^Client (?:has encountered a connection error|was closed) and is not queryable$/;

// A timeline is the count of promotions, 8 digits of hexadecimal.
const INSPECT = `
SELECT pg_backend_pid() AS pid, extract(epoch FROM pg_postmaster_start_time())::text AS "startedAt",
  pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "isReadOnly",
  CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`;

const lostConnections = new WeakMap<Error, Lost>();

/**
 * Whether the connection broke, or could not be made: nobody knows what became of the statement.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseError) return SERVER_GONE.has(error.code ?? '');
  if (error instanceof NoWriter || lostConnections.has(error) || NOT_SENT.test(error.message)) return true;
  return isConnectionLost(error.cause);
}

/**
 * Finds the host of DATABASE_URL that takes writes, and watches the connections to it. When the
 * server is another one than before, all connections to the earlier one are closed, so that no
 * statement waits for a server that is gone.
 */
export class Writer {
  readonly #hosts: readonly Host[];
  readonly #mustWrite: boolean;
  readonly #clients = new Map<Client, Watched>();
  readonly #probes = new Set<Client>();
  readonly #closing = new AbortController();
  /** Called when another server takes the writes, or none: then `why` says what each host is. */
  onChange: (change: { host: string | undefined; why?: string }) => void = () => {};
  /** Where new connections go; undefined while no host takes writes. */
  #host: Host | undefined;
  #server: Server | undefined;
  /** Of all servers so far: an earlier primary that comes back has a lower one. */
  #timeline = '';
  #looking: Promise<void> | undefined;
  #why = '';
  #watching: NodeJS.Timeout | undefined;

  constructor(url: string) {
    const { hosts, mustWrite } = readHosts(url);
    this.#hosts = hosts;
    this.#mustWrite = mustWrite;
    if (hosts.length === 1) this.#host = hosts[0];
  }

  /** False while no host takes writes. */
  get isKnown(): boolean {
    return this.#host !== undefined;
  }

  /** DATABASE_URL with one of its hosts. */
  get url(): string {
    return (this.#host ?? (this.#hosts[0] as Host)).url;
  }

  /** @throws NoWriter when no host takes writes until then. */
  async ready(untilMs: number): Promise<Host> {
    if (this.#host === undefined) this.suspect();
    if (this.#looking !== undefined) {
      const timeout = new AbortController();
      const late = wait(Math.max(0, untilMs - performance.now()), undefined, { ref: false, signal: timeout.signal });
      await Promise.race([this.#looking, late.catch(() => {})]);
      timeout.abort();
    }
    if (this.#host === undefined) throw new NoWriter(`no database takes writes: ${this.#why}`);
    return this.#host;
  }

  /** Looks at every host, once at a time. */
  suspect(): void {
    if (this.#closing.signal.aborted) return;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
  }

  /**
   * After an error: waits for the server that takes writes. Then a statement whose connection was
   * lost has been committed, or never will be. False for every other error, and when it takes
   * longer than until then.
   */
  async recover(error: unknown, untilMs: number): Promise<boolean> {
    if (!isConnectionLost(error) || performance.now() >= untilMs) return false;
    await wait(RETRY_PAUSE_MS);
    try {
      await this.ready(untilMs);
      const lost = lostConnections.get(error as Error);
      // The server may be the same: what we sent may still run there, or only now arrive.
      if (lost !== undefined && lost.server !== undefined && isSame(lost.server, this.#server)) {
        await this.#endBackend(lost.pid, untilMs);
      }
      return true;
    } catch {
      return false;
    }
  }

  /** Of a client before it connects. */
  watch(client: Client, limits: WatchLimits, host: Host): void {
    const watched: Watched = { limits, host, bytesRead: 0, silentMs: 0 };
    this.#clients.set(client, watched);
    this.#watching ??= setInterval(() => this.#tick(), TICK_MS).unref();
    client.once('end', () => this.#clients.delete(client));
    client.on('error', (error: Error) => {
      const isDropped = !this.#clients.delete(client);
      const pid = pidOf(client);
      if (pid !== null) lostConnections.set(error, { pid, server: watched.server });
      if (!isDropped) this.suspect();
    });
    client.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (SERVER_GONE.has(code ?? '')) this.suspect();
    });
  }

  /** A client could not connect. */
  refused(client: Client, error: Error): void {
    this.#clients.delete(client);
    if (!(error instanceof DatabaseError)) lostConnections.set(error, { pid: 0, server: undefined });
    if (isConnectionLost(error)) this.suspect();
  }

  /** @throws NoWriter when the server of a new connection takes no writes. */
  async check(client: Client): Promise<void> {
    const watched = this.#clients.get(client);
    if (watched === undefined) throw new NoWriter('the database is another server than before');
    const { server, issue } = await this.#inspect(client, watched.host);
    if (issue !== undefined) {
      this.suspect();
      throw new NoWriter(`${watched.host.name} ${issue}`);
    }
    watched.server = server;
    this.#adopt(server);
  }

  /** Connects a client that nobody watches, for long work. */
  async connect(make: (url: string) => Client, connectMs: number): Promise<Client> {
    const host = await this.ready(performance.now() + connectMs);
    const client = make(host.url);
    client.on('error', () => {});
    try {
      await client.connect();
      const { issue } = await this.#inspect(client, host);
      if (issue === undefined) return client;
      throw new NoWriter(`${host.name} ${issue}`);
    } catch (error) {
      socketOf(client).destroy();
      throw error;
    }
  }

  close(): void {
    this.#closing.abort();
    clearInterval(this.#watching);
    for (const client of this.#probes) socketOf(client).destroy();
  }

  /** Asks each host again and again until one takes writes: one that hangs delays no other one. */
  async #look(): Promise<void> {
    const found = new Map<Host, Found>();
    const over = new AbortController();
    const judge = async () => {
      const [best] = [...found.values()]
        .flatMap(({ server }) => server ?? [])
        .sort((one, other) => (one.timeline > other.timeline ? -1 : 1));
      if (best === undefined && found.size === this.#hosts.length) {
        // It is there, and says something else than that it is gone: its errors shall show.
        if (this.#host !== undefined && found.get(this.#host)?.responds) over.abort();
        else this.#lose([...found.values()].map(({ host, issue }) => `${host.name} ${issue}`).join(', '));
      }
      if (best === undefined) return;
      if (found.size < this.#hosts.length) await pause(GRACE_MS, over.signal);
      if (over.signal.aborted) return;
      const newer = [...found.values()].find(({ server }) => server !== undefined && server.timeline > best.timeline);
      this.#adopt(newer?.server ?? best);
      over.abort();
    };
    const ask = async (host: Host) => {
      for (let pauseMs = FIRST_PAUSE_MS; !over.signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
        found.set(host, await this.#probe(host));
        if (this.#closing.signal.aborted) over.abort();
        if (!over.signal.aborted) await judge();
        await pause(pauseMs, over.signal);
      }
    };
    const asking = this.#hosts.map(ask);
    await Promise.race([Promise.all(asking), once(over.signal, 'abort')]);
  }

  #lose(why: string): void {
    this.#why = why;
    if (this.#host !== undefined) this.onChange({ host: undefined, why });
    this.#host = undefined;
    this.#drop();
  }

  #adopt(server: Server): void {
    const isNew = this.#server !== undefined && (this.#host === undefined || !isSame(server, this.#server));
    this.#host = server.host;
    if (server.timeline > this.#timeline) this.#timeline = server.timeline;
    if (isNew) this.#drop(server);
    this.#server = server;
    if (isNew) this.onChange({ host: server.host.name });
  }

  /** Closes all connections, or those to other servers than this one. */
  #drop(kept?: Server): void {
    for (const [client, { server, host }] of this.#clients) {
      const isKept = kept !== undefined && (server === undefined ? host === kept.host : isSame(server, kept));
      if (isKept) continue;
      this.#clients.delete(client);
      socketOf(client).destroy(new NoWriter('the database is another server than before'));
    }
  }

  async #probe(host: Host): Promise<Found> {
    const client = new Client({ connectionString: host.url, application_name: 'roundhouse look' });
    client.on('error', () => {});
    this.#probes.add(client);
    const hasSpoken = this.#listenTo(host);
    let isSlow = false;
    const timeout = setTimeout(() => {
      isSlow = true;
      socketOf(client).destroy(new Error(`has not answered for ${LOOK_MS} ms`));
    }, LOOK_MS);
    try {
      await client.connect();
      const { server, issue } = await this.#inspect(client, host);
      return issue === undefined ? { host, server } : { host, issue };
    } catch (error) {
      const refuses = error instanceof StartError || (error instanceof DatabaseError && !isConnectionLost(error));
      // Slow: too busy for a new connection, and perhaps still at work for those it has.
      return { host, issue: (error as Error).message, responds: refuses || (isSlow && hasSpoken()) };
    } finally {
      clearTimeout(timeout);
      this.#probes.delete(client);
      socketOf(client).destroy();
    }
  }

  /** The returned function says whether a host has sent anything on a watched connection since. */
  #listenTo(host: Host): () => boolean {
    const readFrom = () => [...this.#clients].filter(([, watched]) => watched.host === host);
    const before = new Map(readFrom().map(([client]) => [client, socketOf(client).bytesRead]));
    return () => readFrom().some(([client]) => socketOf(client).bytesRead > (before.get(client) ?? 0));
  }

  async #inspect(client: Client, host: Host): Promise<{ server: Server; issue?: string }> {
    const { isReadOnly, ...server } = await inspect(client, host);
    if (isReadOnly && this.#mustWrite) return { server, issue: 'takes no writes' };
    if (!isReadOnly && server.timeline < this.#timeline) return { server, issue: 'was the primary before' };
    return { server };
  }

  /** Waits until PostgreSQL has ended the process of a connection. */
  async #endBackend(pid: number, untilMs: number): Promise<void> {
    const client = new Client({ connectionString: this.url, application_name: 'roundhouse look' });
    client.on('error', () => {});
    const timeout = setTimeout(() => socketOf(client).destroy(), untilMs - performance.now());
    try {
      await client.connect();
      for (;;) {
        const { rowCount } = await client.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1',
          [pid],
        );
        if (rowCount === 0) return;
        await wait(RETRY_PAUSE_MS);
      }
    } finally {
      clearTimeout(timeout);
      socketOf(client).destroy();
    }
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
      // Without a limit: a migration or a report.
      if (limits.silenceMs === 0) continue;
      if (silentMs >= limits.silenceMs) {
        this.#endSilence(client, host, limits);
        this.suspect();
      } else if (silentMs % SUSPECT_MS === 0) this.suspect();
    }
  }

  /** When one is silent the idle ones are too: each would delay another player. */
  #endSilence(silent: Client, host: Host, { silenceMs }: WatchLimits): void {
    for (const [client, watched] of this.#clients) {
      if (client !== silent && !(watched.host === host && isIdle(client))) continue;
      // Each its own: an error leads to the connection that it broke.
      socketOf(client).destroy(new Error(`the database has not answered for ${silenceMs} ms`));
    }
  }
}

async function inspect(client: Client, host: Host): Promise<Server & { isReadOnly: boolean }> {
  const { rows } = await client.query<{ pid: number; startedAt: string; isReadOnly: boolean; timeline: string }>(
    INSPECT,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database says nothing about itself');
  const { pid, ...server } = row;
  if (pid !== pidOf(client)) throw new StartError(BEHIND_POOLER);
  return { host, ...server };
}

export const BEHIND_POOLER =
  'A connection pooler such as PgBouncer stands before the database. Roundhouse has its own pool: give it the address of PostgreSQL itself.';

/** Until the signal, at most. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { ref: false, signal }).catch(() => {});
}

function isSame(one: Server | undefined, other: Server | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    one.host === other.host &&
    one.startedAt === other.startedAt &&
    one.timeline === other.timeline
  );
}

function socketOf(client: Client): Socket {
  return client.connection.stream as Socket;
}

/** Of the process of PostgreSQL that serves it. */
function pidOf(client: Client): number | null {
  return (client as Client & { processID: number | null }).processID;
}

function isIdle(client: Client): boolean {
  return (client as Client & { readyForQuery: boolean }).readyForQuery;
}
