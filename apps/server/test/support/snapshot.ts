import { ERRORS, type ErrorCode } from '@roundhouse/contract';
import { expect } from 'vitest';
import { sha256Of } from '../../src/sessions/sessionToken.ts';
import type { TestResponse, TestServer } from './testServer.ts';

/** NOT_FOUND is ERR_VAL with status 404: replay, dev routes and unknown paths only. */
export type RefusalCode = ErrorCode | 'NOT_FOUND';

type Account = {
  id: number;
  player_id: number;
  currency: string;
  balance_micros: number;
  active_session_id: number | null;
  active_at: string;
};

/** Rows as PostgreSQL writes them to JSON, with every column. */
type Rows = {
  sessions: {
    id: number;
    token_sha256: string;
    player_id: number;
    state: string;
    last_active_at: string;
    account_id: number;
  }[];
  accounts: Account[];
  rounds: { id: number; player_id: number; closed_at: string | null; payout_micros: number }[];
  events: { round_id: number; seq: number; event: string }[];
  transfers: object[];
  walletTransactions: object[];
  launches: object[];
};

/** Every row that a request may change, whoever's it is. */
export async function wholeState({ db }: Pick<TestServer, 'db'>): Promise<Rows> {
  const [row] = await db.$queryRaw<{ json: Rows }[]>`
    SELECT json_build_object(
      'accounts', (SELECT coalesce(json_agg(a ORDER BY id), '[]') FROM accounts a),
      'sessions', (SELECT coalesce(json_agg(s ORDER BY id), '[]') FROM sessions s),
      'rounds', (SELECT coalesce(json_agg(r ORDER BY id), '[]') FROM rounds r),
      'events', (SELECT coalesce(json_agg(e ORDER BY round_id, seq), '[]') FROM round_events e),
      'transfers', (SELECT coalesce(json_agg(t ORDER BY id), '[]') FROM transfers t),
      'walletTransactions', (SELECT coalesce(json_agg(w ORDER BY transaction_id), '[]') FROM wallet_transactions w),
      'launches', (SELECT coalesce(json_agg(l ORDER BY token_sha256), '[]') FROM launches l)) AS json`;
  if (row === undefined) throw new Error('the database answered nothing');
  return row.json;
}

/**
 * The session with all that its player has, and how many rows there are in the whole database. A
 * session that nobody knows has only the counts.
 */
export async function snapshot(server: Pick<TestServer, 'db'>, sessionID: string) {
  const { sessions, accounts, rounds, events, transfers } = await wholeState(server);
  const token = `\\x${Buffer.from(sha256Of(sessionID)).toString('hex')}`;
  const session = sessions.find(({ token_sha256 }) => token_sha256 === token);
  const ofPlayer = ({ player_id }: { player_id: number }) => player_id === session?.player_id;
  const mine = rounds.filter(ofPlayer);
  const active = accounts.find((account) => session !== undefined && account.active_session_id === session.id);
  return {
    counts: {
      ...{ sessions: sessions.length, accounts: accounts.length, rounds: rounds.length },
      ...{ events: events.length, transfers: transfers.length },
    },
    session: session === undefined ? null : { ...session, last_active_at: active?.active_at ?? session.last_active_at },
    accounts: accounts.filter(ofPlayer).map(({ active_session_id, active_at, ...account }) => account),
    rounds: mine,
    events: events.filter(({ round_id }) => mine.some(({ id }) => id === round_id)),
  };
}

export type Call = {
  path: string;
  /** Sent as `post` sends it. */
  body: unknown;
  headers?: Record<string, string>;
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Status, code and shape of a refusal, and the part of its message that carries information. */
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

/** What the player of the session has in the session's currency. */
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
