import { pino } from 'pino';
import { expect } from 'vitest';
import type { Catalogue } from '../../src/games/catalogue.ts';
import { loadCatalogue } from '../../src/games/loadCatalogue.ts';
import { type Database, openDatabase } from '../../src/ledger/database.ts';
import { booksBalance } from '../../src/ledger/queries/booksBalance.ts';
import { setOperator } from '../../src/ledger/queries/operators.ts';
import { startServer } from '../../src/server.ts';
import { createTestDatabase } from './database.ts';
import { writeFixtureGame } from './fixtureGame.ts';

export const OPERATOR = 'house';

export type Answer = { status: number; body: any; headers: Headers; text: string };

export type TestServer = {
  url: string;
  databaseUrl: string;
  db: Database;
  catalogue: Catalogue;
  /** Everything that the server has logged, one JSON line each. */
  logLines: string[];
  /** POSTs a body: an object as JSON, a text or bytes as they are. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** A new session on a test player; not authenticated yet. */
  newSession(options?: Record<string, unknown>): Promise<string>;
  /** The same, authenticated. */
  liveSession(options?: Record<string, unknown>): Promise<string>;
  /** Plays with the outcome forced to this book. */
  playBook(sessionID: string, bookID: number, bet?: { amount?: number; mode?: string }): Promise<Answer>;
  /** A second node on the same database and games. */
  startNode(): Promise<{ url: string; close(): Promise<void> }>;
  close(): Promise<void>;
};

export type TestServerOptions = {
  local?: boolean;
  jurisdiction?: object;
  /** Repeats movements that no wallet has answered for certain. */
  recovery?: boolean;
};

/** The whole server on a database of its own, on a free port of 127.0.0.1. */
export async function startTestServer({
  local = true,
  jurisdiction = {},
  recovery = false,
}: TestServerOptions = {}): Promise<TestServer> {
  const database = await createTestDatabase();
  const game = await writeFixtureGame({ jurisdiction });
  const db = openDatabase({ url: database.url });
  await setOperator(db, OPERATOR, {});
  const loaded = await loadCatalogue({ db, folders: [game.folder], storeFolder: game.storeFolder, warn: () => {} });
  if (!loaded.ok) throw new Error(loaded.faults.join('\n'));
  const { catalogue } = loaded;
  const logLines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) });
  const start = () =>
    startServer({
      db,
      catalogue,
      log,
      host: '127.0.0.1',
      port: 0,
      ...(local && { local: { operatorCode: OPERATOR } }),
      ...(recovery && { recovery: { databaseUrl: database.url, sweepMs: 100 } }),
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

/** The calls of a game, for one address. `inspect` sees every answer before the caller does. */
export function clientOf(url: string, inspect: (path: string, answer: Answer) => void = () => {}) {
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(url + path, {
      method: 'POST',
      headers,
      body: isRaw ? (body as string) : JSON.stringify(body),
    });
    const answer = await answerOf(response);
    inspect(path, answer);
    return answer;
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
    async playBook(sessionID: string, bookID: number, { amount = 1_000_000, mode = 'BASE' } = {}): Promise<Answer> {
      expect((await post('/game/force', { sessionID, mode, bookID })).status).toBe(200);
      return post('/wallet/play', { sessionID, amount, mode });
    },
  };
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, body, headers: response.headers, text };
}

/** The end of every concurrency and fault test. */
export async function expectBooksBalance(db: Database): Promise<void> {
  expect((await booksBalance(db)).imbalances).toEqual([]);
}
