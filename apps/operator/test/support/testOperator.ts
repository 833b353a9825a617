import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { checkLedger } from '../../src/ledger/checkLedger.ts';
import { openDatabase } from '../../src/ledger/database.ts';
import { type OperatorOptions, type RunningOperator, startOperator } from '../../src/operator.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type FakeRgs, GAME, startFakeRgs } from './fakeRgs.ts';
import { readResponse, type TestResponse } from './http.ts';
import { playerRequests, walletClient } from './walletClient.ts';

export const SECRET = 'the-first-secret';
export const NEXT_SECRET = 'the-next-secret';
export const OPENING_MICROS = 1_000_000_000;

type OperatorRequests = ReturnType<typeof requestsTo>;
export type TestPlayer = Awaited<ReturnType<OperatorRequests['newPlayer']>>;

export type TestOperator = OperatorRequests & {
  url: string;
  database: TestDatabase;
  rgs: FakeRgs;
  /** The lines of the log. Each is JSON. */
  logLines: string[];
};

/**
 * Starts an operator for the tests of a file, with its own database and a fake game server.
 */
export function useOperator(options: Partial<OperatorOptions> = {}): TestOperator {
  const operator = {} as TestOperator;
  let running: RunningOperator;
  beforeAll(async () => {
    const database = await createTestDatabase();
    const rgs = await startFakeRgs(SECRET);
    const logLines: string[] = [];
    const log = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });
    running = await startOperator({ ...optionsFor(database, rgs), log, ...options });
    const { url } = running;
    Object.assign(operator, { url, database, rgs, logLines, ...requestsTo(url) });
  });
  afterAll(async () => {
    const imbalances = await imbalancesOf(operator);
    await running.close();
    await operator.rgs.close();
    await operator.database.drop();
    expect(imbalances).toEqual([]);
  });
  return operator;
}

/** Makes a new player before each test. */
export function usePlayer(operator: TestOperator): TestPlayer {
  const player = {} as TestPlayer;
  beforeEach(async () => void Object.assign(player, await operator.newPlayer()));
  return player;
}

/** Returns the options of an operator for tests. It logs nothing. */
export function optionsFor(database: TestDatabase, rgs: FakeRgs): OperatorOptions {
  return {
    databaseUrl: database.url,
    code: 'lobby',
    secrets: [SECRET, NEXT_SECRET],
    rgsUrl: rgs.url,
    listenHost: '127.0.0.1',
    listenPort: 0,
    bench: true,
    gameOrigins: [],
    blockedCountries: ['KP'],
    log: pino({ level: 'silent' }),
  };
}

type PlayerOptions = { currency?: string; playerID?: string; country?: string };

/** Sends requests to a running operator. */
export function requestsTo(url: string) {
  const wallet = walletClient(url, SECRET);
  /** Sends a request of the lobby page. */
  const api = async (method: string, path: string, body?: unknown, headers = {}): Promise<TestResponse> => {
    const init = { method, headers: { 'Content-Type': 'application/json', ...headers } };
    return readResponse(
      await fetch(`${url}/api${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) }),
    );
  };
  return {
    wallet,
    api,
    /** Makes a new player with an open session and 1,000 units. */
    async newPlayer({ currency = 'USD', playerID = `player-${randomUUID()}`, country }: PlayerOptions = {}) {
      const { gameID } = GAME;
      await api('POST', '/players', { playerID, currency });
      const { body } = await api('POST', '/launch', { playerID, gameID, currency, country });
      expect(body).toMatchObject({ sessionID: expect.stringMatching(/^lobby:/) });
      const statement = async (): Promise<{ kind: string; amount: number; transactionID: string }[]> =>
        (await api('GET', `/players/${playerID}/statement?currency=${currency}&limit=200`)).body.entries.reverse();
      return {
        ...playerRequests(wallet, { playerID, sessionID: body.sessionID, gameID, currency }),
        /** Returns the statement, the oldest row first. */
        statement,
        /** Returns the statement after the opening deposit, each row as "debit -5". */
        entries: async () => (await statement()).slice(1).map(({ kind, amount }) => `${kind} ${amount}`),
        setBalance: (amount: unknown) => api('POST', `/players/${playerID}/balance`, { currency, amount }),
        async setRules(rules: object): Promise<void> {
          const { status } = await api('PUT', `/bench/players/${playerID}`, { currency, ...rules });
          expect(status).toBe(200);
        },
      };
    },
  };
}

export async function imbalancesOf({ database }: Pick<TestOperator, 'database'>): Promise<unknown[]> {
  const db = openDatabase(database.url);
  try {
    return (await checkLedger(db)).imbalances;
  } finally {
    await db.$disconnect();
  }
}
