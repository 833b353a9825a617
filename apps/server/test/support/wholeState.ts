import type { CheckedServer } from './checkedServer.ts';

export type WholeState = Record<'accounts' | 'sessions' | 'rounds' | 'events' | 'transfers', unknown[]>;

/** Every column of every row that a request may change, whoever's it is. */
export async function wholeState({ db }: Pick<CheckedServer, 'db'>): Promise<WholeState> {
  const [row] = await db.$queryRaw<{ json: WholeState }[]>`
    SELECT json_build_object(
      'accounts', (SELECT coalesce(json_agg(a ORDER BY id), '[]') FROM accounts a),
      'sessions', (SELECT coalesce(json_agg(s ORDER BY id), '[]') FROM sessions s),
      'rounds', (SELECT coalesce(json_agg(r ORDER BY id), '[]') FROM rounds r),
      'events', (SELECT coalesce(json_agg(e ORDER BY round_id, seq), '[]') FROM round_events e),
      'transfers', (SELECT coalesce(json_agg(t ORDER BY id), '[]') FROM transfers t)) AS json`;
  if (row === undefined) throw new Error('the database answered nothing');
  return row.json;
}
