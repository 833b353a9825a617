import { toMicros } from '@roundhouse/contract';
import { afterAll, beforeAll } from 'vitest';
import { issueSession } from '../../src/sessions/launchSession.ts';
import { BOOK } from './fixtureGame.ts';
import {
  expectBooksBalance,
  type GameClient,
  OPERATOR,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from './testServer.ts';

/** Micros in one currency unit, written out: docs/protocol.md, "Money". */
export const UNIT = 1_000_000;
/** What a new test player has. */
export const OPENING = 1000 * UNIT;

/**
 * The one server of a test file, from before its first test until after its last, when the books
 * must balance.
 */
export function useCheckedServer(options: TestServerOptions = {}): TestServer {
  const server = {} as TestServer;
  beforeAll(async () => void Object.assign(server, await startTestServer(options)));
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
export async function sessionInRound(server: GameClient): Promise<string> {
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
