import { ERRORS, type ErrorCode } from '@roundhouse/contract';
import { expect } from 'vitest';
import { sha256Of } from '../../src/rounds/sessions/sessionToken.ts';
import { BET, ENDPOINTS, type TestResponse, type TestServer } from './testServer.ts';

/** NOT_FOUND is ERR_VAL with status 404: replay, dev routes and unknown paths only. */
export type RefusalCode = ErrorCode | 'NOT_FOUND';

/** PostgreSQL writes every column of a row to JSON. */
type Row = Record<string, any>;

/** A request may change these tables; the columns order their rows. */
const TABLES = {
  ...{ accounts: 'id', sessions: 'id', rounds: 'id', round_events: 'round_id, seq', transfers: 'id' },
  ...{ wallet_transactions: 'transaction_id', launches: 'token_sha256', grants: 'id' },
};

/** Reads every row that a request may change, of every player. */
export async function wholeState({ db }: Pick<TestServer, 'db'>): Promise<Record<keyof typeof TABLES, Row[]>> {
  const tables = Object.entries(TABLES).map(
    ([name, key]) => `'${name}', (SELECT coalesce(json_agg(t ORDER BY ${key}), '[]') FROM ${name} t)`,
  );
  const [row] = await db.$queryRawUnsafe<{ json: any }[]>(`SELECT json_build_object(${tables}) AS json`);
  return row?.json;
}

/**
 * Reads the session with all that its player has, and how many rows there are in the whole
 * database. An unknown session has only the counts.
 */
export async function snapshot(server: Pick<TestServer, 'db'>, sessionID: string) {
  const { sessions, accounts, rounds, round_events: events, transfers } = await wholeState(server);
  const token = `\\x${Buffer.from(sha256Of(sessionID)).toString('hex')}`;
  const session = sessions.find(({ token_sha256 }) => token_sha256 === token);
  const ofPlayer = ({ player_id }: Row) => player_id === session?.player_id;
  const mine = rounds.filter(ofPlayer);
  const active = accounts.find((account) => session !== undefined && account.active_session_id === session.id);
  return {
    counts: {
      ...{ sessions: sessions.length, accounts: accounts.length, rounds: rounds.length },
      ...{ events: events.length, transfers: transfers.length },
    },
    session: session && ({ ...session, last_active_at: active?.active_at ?? session.last_active_at } as Row),
    accounts: accounts.filter(ofPlayer).map(({ active_session_id, active_at, ...account }): Row => account),
    rounds: mine,
    events: events.filter(({ round_id }) => mine.some(({ id }) => id === round_id)),
  };
}

export type Call = {
  path: string;
  /** `post` sends it as it is. */
  body: unknown;
  headers?: Record<string, string>;
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Expects status, code and shape of a refusal, and the informative part of its message. */
export function expectRefusal(
  { status, body, headers, text }: Pick<TestResponse, 'status' | 'body' | 'headers'> & { text?: string },
  code: RefusalCode,
  about = '',
): void {
  const expected =
    code === 'NOT_FOUND' ? { status: 404, error: 'ERR_VAL' } : { status: ERRORS[code].status, error: code };
  expect({ status, error: body?.error, message: body?.message }, text).toEqual({
    ...expected,
    message: expect.stringContaining(about),
  });
  expect(body.message.length).toBeGreaterThan(8);
  expect(Object.keys(body)).toEqual(['error', 'message']);
  expect(headers.get('x-request-id')).toMatch(UUID);
}

/** Does the work, which may change no row of anybody's money, rounds or sessions. */
export async function expectNothingChanged<Value>(
  server: Pick<TestServer, 'db'>,
  work: () => Promise<Value>,
): Promise<Value> {
  const before = await wholeState(server);
  const value = await work();
  expect(await wholeState(server)).toEqual(before);
  return value;
}

/** The request is refused with this code, its message names `about`, and it changes nothing. */
export async function expectRefused(
  server: Pick<TestServer, 'db' | 'post'>,
  { path, body, headers }: Call,
  code: RefusalCode,
  about = '',
): Promise<TestResponse> {
  const response = await expectNothingChanged(server, () => server.post(path, body, headers));
  expectRefusal(response, code, about);
  return response;
}

/** Does what `expectRefused` does, for a good bet with a change. */
export const expectPlayRefused = (
  server: Pick<TestServer, 'db' | 'post'>,
  sessionID: string,
  change: object,
  code: RefusalCode,
  about = '',
) => expectRefused(server, { path: '/wallet/play', body: { sessionID, ...BET, ...change } }, code, about);

/** Expects that each endpoint refuses the session with this code. */
export async function expectAllRefused(
  server: Pick<TestServer, 'db' | 'post'>,
  sessionID: string,
  code: RefusalCode,
  endpoints: readonly (typeof ENDPOINTS)[number][] = ENDPOINTS,
): Promise<void> {
  for (const { path, more } of endpoints) await expectRefused(server, { path, body: { sessionID, ...more } }, code);
}

/** Returns what the player of the session has in the session's currency. */
export async function balanceOf(server: Pick<TestServer, 'db'>, sessionID: string): Promise<number> {
  const { accounts, session } = await snapshot(server, sessionID);
  return accounts.find(({ id }) => id === session?.account_id)?.balance_micros ?? Number.NaN;
}

/** Does the work while one thing of the database is away. */
export async function withRenamed(
  { db }: Pick<TestServer, 'db'>,
  { kind, name }: { kind: 'FUNCTION' | 'TABLE'; name: string },
  work: () => Promise<unknown>,
): Promise<void> {
  await db.$executeRawUnsafe(`ALTER ${kind} ${name} RENAME TO ${name}_away`);
  try {
    await work();
  } finally {
    await db.$executeRawUnsafe(`ALTER ${kind} ${name}_away RENAME TO ${name}`);
  }
}
