import assert from 'node:assert/strict';
import { devContract, errorBodySchema, gameContract, toMicros } from '@roundhouse/contract';
import { afterAll, beforeAll } from 'vitest';
import type * as z from 'zod';
import { issueSession } from '../../src/sessions/launchSession.ts';
import { BOOK } from './fixtureGame.ts';
import {
  clientOf,
  expectBooksBalance,
  OPERATOR,
  responseOf,
  startTestServer,
  type TestResponse,
  type TestServer,
  type TestServerOptions,
} from './testServer.ts';

/** Micros in one currency unit, written out: docs/protocol.md, "Money". */
export const UNIT = 1_000_000;
/** What a new test player has. */
export const OPENING = 1000 * UNIT;

/** The calls of a game; every response is held against the contract. */
export type CheckedClient = ReturnType<typeof checkedClient>;
export type CheckedServer = Omit<TestServer, keyof CheckedClient> & CheckedClient;

export function checkedClient(url: string) {
  return {
    ...clientOf(url, expectContract),
    /** Any request at all. */
    async send(path: string, init: RequestInit = {}): Promise<TestResponse> {
      const response = await responseOf(await fetch(url + path, init));
      if (init.method !== 'HEAD' && init.method !== 'OPTIONS') expectContract(path, response);
      return response;
    },
  };
}

/**
 * The one server of a test file, from before its first test until after its last, when the books
 * must balance.
 */
export function useCheckedServer(options: TestServerOptions = {}): CheckedServer {
  const server = {} as CheckedServer;
  beforeAll(async () => {
    const started = await startTestServer(options);
    Object.assign(server, started, checkedClient(started.url));
  });
  afterAll(async () => {
    try {
      await expectBooksBalance(server.db);
    } finally {
      await server.close?.();
    }
  });
  return server;
}

/** A session whose new player has an active round that pays 1.5 units on a bet of 1. */
export async function sessionInRound(server: CheckedClient): Promise<string> {
  const sessionID = await server.liveSession();
  await server.playBook(sessionID, BOOK.pays150);
  return sessionID;
}

/** The five endpoints, each with a body that is valid in a live session with a round. */
export const ENDPOINTS = [
  { path: '/wallet/authenticate', more: {} },
  { path: '/wallet/balance', more: {} },
  { path: '/wallet/play', more: { amount: UNIT, mode: 'BASE' } },
  { path: '/wallet/end-round', more: {} },
  { path: '/bet/event', more: { event: 'picked:1' } },
] as const;

/** All of them but authenticate, the one that a session begins with. */
export const AFTER_AUTHENTICATE = ENDPOINTS.slice(1);

/**
 * A session as the command line and an operator's platform issue it: it needs no path for local
 * work.
 */
export async function issueTestSession(server: Pick<TestServer, 'db' | 'url'>, playerExternalID = 'issued-player') {
  const issued = await issueSession(server.db, {
    operatorCode: OPERATOR,
    playerExternalID,
    gameID: 'fixture',
    gameVersion: '1.0.0',
    currency: 'USD',
    country: undefined,
    social: false,
    openingBalance: toMicros(OPENING),
    setBalanceTo: undefined,
    jurisdiction: {},
    launch: { gameHost: server.url, rgsUrl: server.url, language: 'en', device: 'desktop' },
  });
  if (!issued.ok) throw new Error(issued.refusal);
  return issued;
}

type Route = { path: string; responses: object };

const ROUTES = [...Object.values(gameContract), ...Object.values(devContract)].map((route: Route) => ({
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
