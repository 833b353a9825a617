import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { ConnectionWatch, isConnectionLost, lostConnectionOf, NoWriter } from './connectionWatch.ts';
import { type Host, readHosts } from './hosts.ts';
import { changeOf, inspect, isSame, type Server, type ServerChange, socketOf } from './postgresServer.ts';
import { StartError } from './runUntilStopped.ts';

/** A host `responds` when it says something else than that it is gone, or works for others. */
type Found = { host: Host; server?: Server; issue?: string; responds?: boolean };

/** Time limit for a host to say what it is, in milliseconds. */
const LOOK_MS = 2_000;
/** Time in milliseconds in which another host may show a newer timeline than the first found. */
const GRACE_MS = 200;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 250;
const RETRY_PAUSE_MS = 20;

/** `why` describes each host when none takes writes. */
export type WriterChange = { host: undefined; why: string } | { host: string; kind: ServerChange };

/**
 * Finds the host of DATABASE_URL that takes writes. When the server is another one than before, it
 * closes all connections to the earlier one, so that no statement waits for a server that is gone.
 */
export class Writer {
  readonly #hosts: readonly Host[];
  readonly #mustWrite: boolean;
  readonly connections = new ConnectionWatch(() => this.suspect());
  readonly #probes = new Set<Client>();
  readonly #closing = new AbortController();
  /** Called when no server takes writes any more, and when one does again or another one does. */
  onChange: (change: WriterChange) => void = () => {};
  /**
   * retryConflicts calls it with each failure of a statement, also when the statement is sent
   * again.
   */
  onError: (error: unknown) => void = () => {};
  /** New connections go there; it is undefined while no host takes writes. */
  #host: Host | undefined;
  #server: Server | undefined;
  /**
   * It is the highest of all servers so far: an earlier primary that comes back has a lower one.
   */
  #timeline = '';
  #looking: Promise<void> | undefined;
  #lookingSinceMs = 0;
  #why = '';
  /** It is aborted when no host takes writes any more. */
  #known = new AbortController();

  /**
   * Once no host has taken writes for this time, nobody waits for one any more (decision 018).
   * Before the first one is found, callers wait for as long as they want.
   */
  readonly awayMs: number;

  constructor(url: string, awayMs: number) {
    const { hosts, mustWrite } = readHosts(url);
    this.awayMs = awayMs;
    this.#hosts = hosts;
    this.#mustWrite = mustWrite;
    if (hosts.length === 1) this.#host = hosts[0];
  }

  /** It is false while no host takes writes. */
  get isKnown(): boolean {
    return this.#host !== undefined;
  }

  /** It is aborted when no host takes writes, at that moment or later. */
  get known(): AbortSignal {
    return this.#known.signal;
  }

  /** It is DATABASE_URL with one of its hosts. */
  get url(): string {
    return (this.#host ?? (this.#hosts[0] as Host)).url;
  }

  /** @throws NoWriter when no host takes writes until then, or for longer than `awayMs`. */
  async ready(untilMs: number): Promise<Host> {
    if (this.#host === undefined) this.suspect();
    if (this.#looking !== undefined) {
      const lastMs = this.#server === undefined ? untilMs : Math.min(untilMs, this.#lookingSinceMs + this.awayMs);
      const timeout = new AbortController();
      const late = wait(Math.max(0, lastMs - performance.now()), undefined, { ref: false, signal: timeout.signal });
      await Promise.race([this.#looking, late.catch(() => {})]);
      timeout.abort();
    }
    if (this.#host === undefined) throw new NoWriter(`no database takes writes: ${this.#why}`);
    return this.#host;
  }

  /** Looks at every host, once at a time. */
  suspect(): void {
    if (this.#closing.signal.aborted) return;
    if (this.#looking === undefined) this.#lookingSinceMs = performance.now();
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
  }

  /**
   * Waits after an error for the server that takes writes. Then a statement whose connection was
   * lost has been committed, or never will be (decision 018). Returns false for every other error,
   * and when it takes longer than until then.
   */
  async recover(error: unknown, untilMs: number): Promise<boolean> {
    if (!isConnectionLost(error) || performance.now() >= untilMs) return false;
    await wait(RETRY_PAUSE_MS);
    try {
      await this.ready(untilMs);
      const lost = lostConnectionOf(error);
      // The server may be the same: what we sent may still run there, or only now arrive.
      if (lost !== undefined && lost.server !== undefined && isSame(lost.server, this.#server)) {
        await this.#endBackend(lost.pid, untilMs);
      }
      return true;
    } catch {
      return false;
    }
  }

  /** @throws NoWriter when the server of a new connection takes no writes. */
  async check(client: Client): Promise<void> {
    const host = this.connections.hostOf(client);
    if (host === undefined) throw new NoWriter('the database is another server than before');
    const { server, issue } = await this.#inspect(client, host);
    if (issue !== undefined) {
      this.suspect();
      throw new NoWriter(`${host.name} ${issue}`);
    }
    this.connections.identify(client, server);
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
    this.connections.stop();
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
        // The host is there and says something else than that it is gone, so its errors must show.
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
    this.#known.abort();
    this.connections.closeOthers();
  }

  #adopt(server: Server): void {
    const before = this.#server;
    const isNew = before !== undefined && (this.#host === undefined || !isSame(server, before));
    this.#host = server.host;
    if (this.#known.signal.aborted) this.#known = new AbortController();
    if (server.timeline > this.#timeline) this.#timeline = server.timeline;
    if (isNew) this.connections.closeOthers(server);
    this.#server = server;
    if (isNew) this.onChange({ host: server.host.name, kind: changeOf(before, server) });
  }

  async #probe(host: Host): Promise<Found> {
    const client = new Client({ connectionString: host.url, application_name: 'roundhouse look' });
    client.on('error', () => {});
    this.#probes.add(client);
    const hasSpoken = this.connections.listenTo(host);
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
      // A slow host is too busy for a new connection, and perhaps still at work for those it has.
      return { host, issue: (error as Error).message, responds: refuses || (isSlow && hasSpoken()) };
    } finally {
      clearTimeout(timeout);
      this.#probes.delete(client);
      socketOf(client).destroy();
    }
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
}

/** Waits until the signal at most. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { ref: false, signal }).catch(() => {});
}
