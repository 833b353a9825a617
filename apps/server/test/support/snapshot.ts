import type { ErrorCode } from '@roundhouse/contract';
import { expect } from 'vitest';
import { sha256Of } from '../../src/sessions/sessionToken.ts';
import type { CheckedServer } from './checkedServer.ts';
import type { Answer } from './testServer.ts';

/** The statuses of the interface document, section 7, written out a second time so that the contract's own are tested. */
const STATUSES: Readonly<Record<ErrorCode, number>> = {
  ERR_VAL: 400,
  ERR_IPB: 400,
  ERR_IS: 400,
  ERR_ATE: 400,
  ERR_GLE: 400,
  ERR_LOC: 400,
  ERR_GEN: 500,
  ERR_MAINTENANCE: 500,
};

/** How many there are in the whole database. */
type Counts = { sessions: number; accounts: number; rounds: number; events: number; transfers: number };

/** Rows as PostgreSQL writes them to JSON: every column of the session, and of the player's accounts, rounds and events. */
export type Snapshot = {
  counts: Counts;
  session: { state: string; last_active_at: string; account_id: number } | null;
  accounts: { id: number; currency: string; balance_micros: number }[];
  rounds: { id: number; mode: string; closed_at: string | null; payout_micros: number; session_id: number }[];
  events: { round_id: number; seq: number; event: string }[];
};

/** All that a request may change, as it is in the database now. A session that nobody knows has only the counts. */
export async function snapshot({ db }: Pick<CheckedServer, 'db'>, sessionID: string): Promise<Snapshot> {
  const [row] = await db.$queryRaw<{ json: Snapshot }[]>`
    WITH session AS (SELECT * FROM sessions WHERE token_sha256 = ${sha256Of(sessionID)}),
      round AS (SELECT * FROM rounds WHERE player_id = (SELECT player_id FROM session)),
      account AS (SELECT * FROM accounts WHERE player_id = (SELECT player_id FROM session)),
      recorded AS (SELECT * FROM round_events WHERE round_id IN (SELECT id FROM round))
    SELECT json_build_object(
      'counts', json_build_object(
        'sessions', (SELECT count(*) FROM sessions), 'accounts', (SELECT count(*) FROM accounts),
        'rounds', (SELECT count(*) FROM rounds), 'events', (SELECT count(*) FROM round_events),
        'transfers', (SELECT count(*) FROM transfers)),
      'session', (SELECT row_to_json(session) FROM session),
      'accounts', (SELECT coalesce(json_agg(account ORDER BY id), '[]') FROM account),
      'rounds', (SELECT coalesce(json_agg(round ORDER BY id), '[]') FROM round),
      'events', (SELECT coalesce(json_agg(recorded ORDER BY round_id, seq), '[]') FROM recorded)) AS json`;
  if (row === undefined) throw new Error('the database answered nothing');
  return row.json;
}

export type Call = {
  path: string;
  /** Sent as `post` sends it; its sessionID names whose state must not change. */
  body: unknown;
  headers?: Record<string, string>;
};

/** The request is answered with this code and its status, and nothing in the database is different for it. */
export async function expectRefused(
  server: Pick<CheckedServer, 'db' | 'post'>,
  call: Call,
  code: ErrorCode,
): Promise<Answer> {
  const named = (call.body as { sessionID?: unknown } | null)?.sessionID;
  const sessionID = typeof named === 'string' ? named : '';
  const before = await snapshot(server, sessionID);
  const answer = await server.post(call.path, call.body, call.headers);
  expect({ status: answer.status, error: answer.body?.error }, `${call.path} ${answer.text}`).toEqual({
    status: STATUSES[code],
    error: code,
  });
  expect(await snapshot(server, sessionID)).toEqual(before);
  return answer;
}

/** What the player of the session has in the session's currency. */
export async function balanceOf(server: Pick<CheckedServer, 'db'>, sessionID: string): Promise<number> {
  const { accounts, session } = await snapshot(server, sessionID);
  return accounts.find(({ id }) => id === session?.account_id)?.balance_micros ?? Number.NaN;
}
