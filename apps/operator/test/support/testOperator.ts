import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { checkLedger } from '../../src/ledger/checkLedger.ts';
import { openDatabase } from '../../src/ledger/database.ts';
import { type OperatorOptions, type RunningOperator, startOperator } from '../../src/operator.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type FakeRgs, GAME, startFakeRgs } from './fakeRgs.ts';
import { readResponse, type TestResponse } from './http.ts';
import { type PlayerRequests, playerRequests, type WalletClient, walletClient } from './walletClient.ts';

export const SECRET = 'the-first-secret';
export const NEXT_SECRET = 'the-next-secret';
export const OPENING_MICROS = 1_000_000_000;

/** Requests to a running operator. */
export type OperatorRequests = {
  wallet: WalletClient;
  /** A request of the lobby page. */
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  /** A new player with an open session and 1,000 units. */
  newPlayer(options?: { currency?: string; playerID?: string; country?: string }): Promise<TestPlayer>;
};

export type TestPlayer = PlayerRequests & {
  setBalance(amount: unknown): Promise<TestResponse>;
  setRules(rules: object): Promise<void>;
  statement(): Promise<{ kind: string; amount: number; transactionID: string }[]>;
  /** The statement after the opening deposit, oldest first, as "debit -5". */
  entries(): Promise<string[]>;
};

export type TestOperator = OperatorRequests & {
  url: string;
  database: TestDatabase;
  rgs: FakeRgs;
  /** The log, one JSON line each. */
  logLines: string[];
};

/** An operator for the tests of a file, with a database of its own and a fake game server. */
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

/** A new player before each test. */
export function usePlayer(operator: TestOperator): TestPlayer {
  const player = {} as TestPlayer;
  beforeEach(async () => void Object.assign(player, await operator.newPlayer()));
  return player;
}

/** The options of an operator for tests. It logs nothing. */
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

export function requestsTo(url: string): OperatorRequests {
  const wallet = walletClient(url, SECRET);
  const api: OperatorRequests['api'] = async (method, path, body, headers = {}) => {
    const init = { method, headers: { 'Content-Type': 'application/json', ...headers } };
    return readResponse(
      await fetch(`${url}/api${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) }),
    );
  };
  return {
    wallet,
    api,
    async newPlayer({ currency = 'USD', playerID = `player-${randomUUID()}`, country } = {}) {
      const { gameID } = GAME;
      await api('POST', '/players', { playerID, currency });
      const { body } = await api('POST', '/launch', { playerID, gameID, currency, country });
      expect(body).toMatchObject({ sessionID: expect.stringMatching(/^lobby:/) });
      const player = playerRequests(wallet, { playerID, sessionID: body.sessionID, gameID, currency });
      const statement = async () => {
        const path = `/players/${encodeURIComponent(playerID)}/statement?currency=${currency}&limit=200`;
        return (await api('GET', path)).body.entries.reverse();
      };
      return {
        ...player,
        statement,
        entries: async () =>
          (await statement()).slice(1).map(({ kind, amount }: Record<string, unknown>) => `${kind} ${amount}`),
        setBalance: (amount) => api('POST', `/players/${playerID}/balance`, { currency, amount }),
        async setRules(rules) {
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
