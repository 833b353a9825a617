import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect } from 'vitest';
import { checkLedger } from '../../src/ledger/checkLedger.ts';
import { openDatabase } from '../../src/ledger/database.ts';
import { type OperatorOptions, type RunningOperator, startOperator } from '../../src/operator.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type FakeRgs, GAME, startFakeRgs } from './fakeRgs.ts';
import {
  type Answer,
  answerOf,
  type PlayerCalls,
  playerCalls,
  type WalletClient,
  walletClient,
} from './walletClient.ts';

export const SECRET = 'the-first-secret';
export const NEXT_SECRET = 'the-next-secret';
export const OPENING_MICROS = 1_000_000_000;

export type TestOperator = {
  url: string;
  database: TestDatabase;
  rgs: FakeRgs;
  wallet: WalletClient;
  /** Everything that was logged, one JSON line each. */
  logLines: string[];
  /** A call of the lobby page. */
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** A new player with an open session and 1,000 units. */
  newPlayer(options?: { currency?: string; playerID?: string; country?: string }): Promise<PlayerCalls>;
};

/** One operator for the tests of a file, on a database of its own, with a stand-in for the game server. */
export function useOperator(options: Partial<OperatorOptions> = {}): TestOperator {
  const operator = {} as TestOperator;
  let running: RunningOperator;
  beforeAll(async () => {
    const database = await createTestDatabase();
    const rgs = await startFakeRgs(SECRET);
    const logLines: string[] = [];
    running = await startOperator({
      ...optionsFor(database, rgs),
      log: pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) }),
      ...options,
    });
    const { url } = running;
    Object.assign(operator, { url, database, rgs, logLines, ...callsOf(url) });
  });
  afterAll(async () => {
    const { imbalances } = await checkedLedger(operator);
    await running.close();
    await operator.rgs.close();
    await operator.database.drop();
    expect(imbalances).toEqual([]);
  });
  return operator;
}

/** All that an operator for tests needs. It logs nothing. */
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

export function callsOf(url: string): Pick<TestOperator, 'api' | 'newPlayer' | 'wallet'> {
  const wallet = walletClient(url, SECRET);
  const api: TestOperator['api'] = async (method, path, body, headers = {}) =>
    answerOf(
      await fetch(`${url}/api${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
  return {
    wallet,
    api,
    async newPlayer({ currency = 'USD', playerID = `player-${randomUUID()}`, country } = {}) {
      await api('POST', '/players', { playerID, currency });
      const request = { playerID, gameID: GAME.gameID, currency, lang: 'en', device: 'desktop', country };
      const { body } = await api('POST', '/launch', request);
      expect(body).toMatchObject({ sessionID: expect.stringMatching(/^lobby:/) });
      return playerCalls(wallet, { playerID, sessionID: body.sessionID, gameID: GAME.gameID, currency });
    },
  };
}

export async function checkedLedger({ database }: Pick<TestOperator, 'database'>) {
  const db = openDatabase(database.url);
  try {
    return await checkLedger(db);
  } finally {
    await db.$disconnect();
  }
}

/** A refusal of the wallet: its code, with the status that goes with it. */
export function expectRefused(answer: Answer, code: string, status = 400): void {
  expect(answer).toMatchObject({ status, body: { error: code } });
}

/** The whole journal of a player, oldest first. */
export async function journalOf(
  operator: TestOperator,
  { playerID, currency }: PlayerCalls,
): Promise<{ kind: string; amount: number; transactionID: string }[]> {
  const { body } = await operator.api(
    'GET',
    `/players/${encodeURIComponent(playerID)}/statement?currency=${currency}&limit=200`,
  );
  return body.entries.reverse();
}
