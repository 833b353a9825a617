import type { ClientLimits, ConnectionLimits } from '@roundhouse/service';
import { pino } from 'pino';
import { request } from 'undici';
import { expect } from 'vitest';
import type { Catalogue } from '../../src/games/catalogue.ts';
import { loadCatalogue } from '../../src/games/loadCatalogue.ts';
import { type Database, openDatabase } from '../../src/ledger/database.ts';
import { booksBalance } from '../../src/ledger/queries/booksBalance.ts';
import { setOperator } from '../../src/ledger/queries/operators.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server.ts';
import { createTestDatabase } from './database.ts';
import { writeFixtureGame } from './fixtureGame.ts';

export const OPERATOR = 'house';

export type TestResponse = { status: number; body: any; headers: Headers; text: string };

export type TestServer = {
  url: string;
  databaseUrl: string;
  db: Database;
  catalogue: Catalogue;
  /** Everything that the server has logged, one JSON line each. */
  logLines: string[];
  /** POSTs a body: an object as JSON, a text or bytes as they are. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  /** A new session on a test player; not authenticated yet. */
  newSession(options?: Record<string, unknown>): Promise<string>;
  /** The same, authenticated. */
  liveSession(options?: Record<string, unknown>): Promise<string>;
  /** Plays with the outcome forced to this book. */
  playBook(sessionID: string, bookID: number, bet?: { amount?: number; mode?: string }): Promise<TestResponse>;
  /** A second node on the same database and games, whose log is the same. */
  startNode(options?: Partial<ServerOptions>): Promise<RunningServer>;
  close(): Promise<void>;
};

/** On a machine that is busy with other things everything takes long. */
const PATIENT: ConnectionLimits = { connectMs: 60_000, statementMs: 60_000, silenceMs: 60_000 };

export type TestServerOptions = {
  local?: boolean;
  jurisdiction?: object;
  /** Settles wallet transactions that are still pending. */
  recovery?: boolean;
  /** How long the database may keep somebody waiting. */
  limits?: ConnectionLimits;
  clientLimits?: Partial<ClientLimits>;
  /** By another address than the database's own. */
  databaseBy?: (url: string) => Promise<string>;
};

/** The whole server on a database of its own, on a free port of 127.0.0.1. */
export async function startTestServer({
  local = true,
  jurisdiction = {},
  recovery = false,
  limits = PATIENT,
  clientLimits = {},
  databaseBy = async (url) => url,
}: TestServerOptions = {}): Promise<TestServer> {
  const database = await createTestDatabase();
  const game = await writeFixtureGame({ jurisdiction });
  const url = await databaseBy(database.url);
  const db = openDatabase({ url, limits });
  await setOperator(db, OPERATOR, {});
  const loaded = await loadCatalogue({ db, folders: [game.folder], storeFolder: game.storeFolder, warn: () => {} });
  if (!loaded.ok) throw new Error(loaded.issues.join('\n'));
  const { catalogue } = loaded;
  const logLines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) });
  const start = (options: Partial<ServerOptions> = {}) =>
    startServer({
      db,
      catalogue,
      log,
      host: '127.0.0.1',
      port: 0,
      clientLimits,
      ...(local && { local: { operatorCode: OPERATOR } }),
      ...(recovery && { recovery: { sweepMs: 100 } }),
      ...options,
    });
  const server = await start();
  const { post, ...helpers } = clientOf(server.url);
  return {
    url: server.url,
    databaseUrl: database.url,
    db,
    catalogue,
    logLines,
    post,
    ...helpers,
    startNode: start,
    async close() {
      await server.close();
      await catalogue.close();
      await db.$disconnect();
      await database.drop();
      await game.remove();
    },
  };
}

/** The calls of a game, for one address. `inspect` sees every response before the caller does. */
export function clientOf(url: string, inspect: (path: string, response: TestResponse) => void = () => {}) {
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await postRaw(url + path, isRaw ? body : JSON.stringify(body), headers);
    inspect(path, response);
    return response;
  };
  const newSession = async (options: Record<string, unknown> = {}): Promise<string> => {
    const { status, body } = await post('/session/start', options);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.sessionID;
  };
  return {
    post,
    newSession,
    async liveSession(options: Record<string, unknown> = {}): Promise<string> {
      const sessionID = await newSession(options);
      expect((await post('/wallet/authenticate', { sessionID })).status).toBe(200);
      return sessionID;
    },
    async playBook(
      sessionID: string,
      bookID: number,
      { amount = 1_000_000, mode = 'BASE' } = {},
    ): Promise<TestResponse> {
      expect((await post('/game/force', { sessionID, mode, bookID })).status).toBe(200);
      return post('/wallet/play', { sessionID, amount, mode });
    },
  };
}

/** As fetch sends it, at a third of its cost: some tests make tens of thousands of calls. */
async function postRaw(url: string, body: string | Uint8Array, headers: Record<string, string>): Promise<TestResponse> {
  const contentType = typeof body === 'string' ? { 'content-type': 'text/plain;charset=UTF-8' } : {};
  const response = await request(url, { method: 'POST', headers: { ...contentType, ...lowerCase(headers) }, body });
  const text = await response.body.text();
  const received = Object.entries(response.headers).flatMap(([name, value = []]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
  return { status: response.statusCode, body: parsed(text), headers: new Headers(received), text };
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

export async function responseOf(response: Response): Promise<TestResponse> {
  const text = await response.text();
  return { status: response.status, body: parsed(text), headers: response.headers, text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The end of every concurrency and fault test. */
export async function expectBooksBalance(db: Database): Promise<void> {
  expect((await booksBalance(db)).imbalances).toEqual([]);
}
