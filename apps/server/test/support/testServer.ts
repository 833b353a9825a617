import assert from 'node:assert/strict';
import {
  type ConfiguredCurrency,
  devContract,
  errorBodySchema,
  fairnessContract,
  gameContract,
} from '@roundhouse/contract';
import { type ClientLimits, type ConnectionLimits, PATIENT_LIMITS } from '@roundhouse/service';
import { pino } from 'pino';
import { request } from 'undici';
import { afterAll, expect } from 'vitest';
import type * as z from 'zod';
import { type ServerOptions, startServer } from '../../src/node/server.ts';
import { loadCatalogue } from '../../src/rounds/games/loadCatalogue.ts';
import { booksBalance } from '../../src/store/books/booksBalance.ts';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { setOperator } from '../../src/store/operators/operators.ts';
import { createTestDatabase } from './database.ts';
import { BOOK, writeFixtureGame } from './fixtureGame.ts';
import { startSilentProxy } from './silentProxy.ts';
import { useStarted } from './useStarted.ts';

export const OPERATOR = 'house';
/** Micros in one currency unit: docs/protocol.md, "Money". */
export const UNIT = 1_000_000;
/** A new test player has this much. */
export const OPENING = 1000 * UNIT;

/** The fixture takes this bet in every currency but JPY. */
export const BET = { amount: UNIT, mode: 'BASE' };

export type TestResponse = { status: number; body: any; headers: Headers; text: string };
/** Sends the calls of a game; every response is held against the contract. */
export type GameClient = ReturnType<typeof clientOf>;
export type TestServer = Awaited<ReturnType<typeof startTestServer>>;
export type GameNode = Awaited<ReturnType<typeof serveGames>>;

/** `roundhouse dev` adds this. */
const LOCAL = { local: { operatorCode: OPERATOR, allowedHosts: ['studio.example', '.tunnel.example'] } };

export type TestServerOptions = {
  local?: boolean;
  parity?: 'mark' | 'strict';
  jurisdiction?: object;
  /** Settles wallet transactions that are still pending. */
  recovery?: boolean;
  /** The server's settings have these currencies. */
  currencies?: readonly ConfiguredCurrency[];
  /** The database may keep a client waiting for this long. */
  limits?: ConnectionLimits;
  clientLimits?: Partial<ClientLimits>;
  /** The database encrypts secrets with this key. */
  secretsKey?: string;
  /** The server reaches its database by a proxy that can go silent. */
  proxied?: boolean;
};

/** Starts the whole server on its own database, on a free port of 127.0.0.1. */
export async function startTestServer(options: TestServerOptions = {}) {
  const { local = true, jurisdiction = {}, recovery = false, limits = PATIENT_LIMITS, clientLimits = {} } = options;
  const database = await createTestDatabase();
  const game = await writeFixtureGame({ jurisdiction });
  const proxy = await startSilentProxy(database.url);
  const db = openDatabase({
    url: options.proxied ? proxy.url : database.url,
    limits,
    ...(options.secretsKey && { secretsKey: options.secretsKey }),
  });
  await setOperator(db, OPERATOR, {});
  const catalogue = await openGames(db, [game], options.currencies);
  /** Holds everything that the server has logged, one JSON line each. */
  const logLines: string[] = [];
  /** The nodes end with their server. */
  const closing = new Set<() => Promise<void>>();
  const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) });
  /** Starts another node on the same database and games, with the same log. */
  const startNode = async (more: Partial<ServerOptions> = {}) => {
    const node = await startServer({
      ...{ db, catalogue, log, clientLimits, host: '127.0.0.1', port: 0 },
      ...(local && { local: { ...LOCAL.local, ...(options.parity && { parity: options.parity }) } }),
      ...(recovery && { recovery: { sweepMs: 100 } }),
      ...more,
    });
    const close = async () => {
      if (closing.delete(close)) await node.close();
    };
    closing.add(close);
    return { ...node, ...clientOf(node.url), close };
  };
  const server = await startNode();
  return {
    ...server,
    ...{ databaseUrl: database.url, db, proxy, catalogue, logLines, startNode, closing },
    /** Parses the lines of the log. */
    logged: (): any[] => logLines.map((line) => JSON.parse(line)),
    async close(): Promise<void> {
      await Promise.all([...closing].map((close) => close()));
      await catalogue.close();
      await db.$disconnect();
      await proxy.close();
      await database.drop();
      await game.remove();
    },
  };
}

/** Starts the one server of a test file. After the last test its books must balance. */
export function useTestServer(options: TestServerOptions = {}): TestServer {
  const server = useStarted(() => startTestServer(options));
  // The hooks after a file run in reverse order.
  afterAll(() => expectBooksBalance(server.db));
  return server;
}

/** Is a game's folder, beside one for its indexed books. */
type WrittenGame = { folder: string; storeFolder: string; remove: () => Promise<void> };

async function openGames(db: Database, games: readonly WrittenGame[], currencies: readonly ConfiguredCurrency[] = []) {
  const folders = games.map(({ folder }) => folder);
  const loaded = await loadCatalogue({
    db,
    folders,
    storeFolder: games[0]?.storeFolder ?? '',
    currencies,
    warn: () => {},
  });
  if (!loaded.ok) throw new Error(loaded.refused.flatMap(({ issues }) => issues).join('\n'));
  return loaded.catalogue;
}

/** A node on the same database that serves other games. Both end with the server. */
export async function serveGames(
  { db, closing }: Pick<TestServer, 'db' | 'closing'>,
  games: readonly WrittenGame[],
  { local = true } = {},
) {
  const catalogue = await openGames(db, games);
  const log = pino({ level: 'silent' });
  const node = await startServer({ db, catalogue, log, host: '127.0.0.1', port: 0, ...(local && LOCAL) });
  closing.add(async () => {
    await node.close();
    await catalogue.close();
    for (const { remove } of games) await remove();
  });
  return { url: node.url, db, ...clientOf(node.url) };
}

/** Returns the calls of a game, for one address. */
export function clientOf(url: string) {
  /** POSTs a body: an object as JSON, a text or bytes as they are. */
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await postRaw(url + path, isRaw ? body : JSON.stringify(body), headers);
    expectContract(path, response);
    return response;
  };
  /** Makes a new session on a test player; it is not authenticated yet. */
  const newSession = async (options: Record<string, unknown> = {}): Promise<string> => {
    const { status, body } = await post('/session/start', options);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.sessionID;
  };
  const authenticate = (sessionID: string, more: object = {}) => post('/wallet/authenticate', { sessionID, ...more });
  /** Bets 1 unit in BASE, unless `more` says otherwise. */
  const play = (sessionID: string, more: object = {}, key?: string) =>
    post('/wallet/play', { ...BET, sessionID, ...more }, key === undefined ? {} : { 'Idempotency-Key': key });
  return {
    ...{ post, newSession, authenticate, play },
    /** Whether a request succeeds that is good in any state of the rounds, and changes nothing. */
    isAlive: async (sessionID: string) => (await post('/wallet/balance', { sessionID })).status === 200,
    configOf: async (sessionID: string) => (await authenticate(sessionID)).body.config,
    balance: (sessionID: string) => post('/wallet/balance', { sessionID }),
    endRound: (sessionID: string) => post('/wallet/end-round', { sessionID }),
    record: (sessionID: string, event: string) => post('/bet/event', { sessionID, event }),
    history: (sessionID: string, page: object = {}) => post('/bet/history', { sessionID, ...page }),
    grants: (sessionID: string, more: object = {}) => post('/bet/grants', { sessionID, ...more }),
    /** Returns the round that authenticate shows. */
    roundOf: async (sessionID: string) => (await authenticate(sessionID)).body.round,
    /** Sends any request at all. */
    async send(path: string, init: RequestInit = {}): Promise<TestResponse> {
      const response = await responseOf(await fetch(url + path, init));
      if (init.method !== 'HEAD' && init.method !== 'OPTIONS') expectContract(path, response);
      return response;
    },
    /** Makes a new session, authenticated. */
    async liveSession(options: Record<string, unknown> = {}): Promise<string> {
      const sessionID = await newSession(options);
      expect((await authenticate(sessionID)).status).toBe(200);
      return sessionID;
    },
    /** Plays with the outcome forced to this book. */
    async playBook(sessionID: string, bookID: number, { amount = UNIT, mode = 'BASE' } = {}, key?: string) {
      expect((await post('/game/force', { sessionID, mode, bookID })).status).toBe(200);
      return play(sessionID, { amount, mode }, key);
    },
  };
}

/** Makes a session whose new player has an active round that pays 1.5 units on a bet of 1. */
export async function sessionInRound(server: GameClient): Promise<string> {
  const sessionID = await server.liveSession();
  await server.playBook(sessionID, BOOK.pays150);
  return sessionID;
}

/** Each game endpoint has a body that is valid in a live session with a round. */
export const ENDPOINTS = [
  { path: '/wallet/authenticate', more: {} },
  { path: '/wallet/balance', more: {} },
  { path: '/wallet/play', more: BET },
  { path: '/wallet/end-round', more: {} },
  { path: '/bet/event', more: { event: 'picked:1' } },
  { path: '/bet/history', more: { limit: 5 } },
  { path: '/bet/grants', more: {} },
] as const;

/** Sends what fetch sends, at a third of its cost: some tests make tens of thousands of calls. */
async function postRaw(url: string, body: string | Uint8Array, headers: Record<string, string>): Promise<TestResponse> {
  const contentType = typeof body === 'string' ? { 'content-type': 'text/plain;charset=UTF-8' } : {};
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const all = { ...contentType, ...Object.fromEntries(given) };
  const response = await request(url, { method: 'POST', headers: all, body });
  const received = Object.entries(response.headers).flatMap(([name, value = []]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
  return testResponse(response.statusCode, await response.body.text(), new Headers(received));
}

export const responseOf = async (response: Response): Promise<TestResponse> =>
  testResponse(response.status, await response.text(), response.headers);

function testResponse(status: number, text: string, headers: Headers): TestResponse {
  try {
    return { status, body: JSON.parse(text), headers, text };
  } catch {
    return { status, body: undefined, headers, text };
  }
}

/** Every concurrency and fault test ends with this. */
export async function expectBooksBalance(db: Database): Promise<void> {
  expect((await booksBalance(db)).imbalances).toEqual([]);
}

type Route = { path: string; responses: object };

const ROUTES = [gameContract, fairnessContract, devContract]
  .flatMap((contract) => Object.values(contract))
  .map((route: Route) => ({
    ...route,
    pattern: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`),
  }));

/**
 * Every response has an X-Request-Id, and exactly the body that the contract says for its path and
 * status. A path without a route may return a page, or an error. By plain assertions, which are
 * fast.
 */
function expectContract(path: string, response: TestResponse): void {
  const label = `${path} ${response.status} ${response.text.slice(0, 200)}`;
  assert.match(response.headers.get('x-request-id') ?? '', /^[\w.-]{1,64}$/, label);
  const route = ROUTES.find((candidate) => candidate.pattern.test(path));
  if (route === undefined && response.status < 400) return;

  assert.match(response.headers.get('content-type') ?? '', /^application\/json\b/, label);
  const schema = route ? (route.responses as Record<number, z.ZodType>)[response.status] : errorBodySchema;
  assert.ok(schema, `${label}: no such status in the contract`);
  assert.deepEqual(schema.parse(response.body), response.body, label);
}
