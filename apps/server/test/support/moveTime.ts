import { sha256Of } from '../../src/rounds/sessions/sessionToken.ts';
import type { Database } from '../../src/store/database/database.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

type WithDatabase = { db: Database };

/** Makes it look as if this time had passed since the session was last active. */
export async function idleFor({ db }: WithDatabase, sessionID: string, ms: number): Promise<void> {
  await db.$executeRaw`
    WITH idle AS (
      UPDATE sessions SET last_active_at = last_active_at - ${ms} * interval '1 millisecond'
      WHERE token_sha256 = ${sha256Of(sessionID)} RETURNING id
    )
    UPDATE accounts a SET active_at = active_at - ${ms} * interval '1 millisecond' FROM idle WHERE a.active_session_id = idle.id`;
}

/** Makes it look as if the session's life had ended a moment ago. */
export async function endLifetime({ db }: WithDatabase, sessionID: string): Promise<void> {
  await db.$executeRaw`UPDATE sessions SET expires_at = now() WHERE token_sha256 = ${sha256Of(sessionID)}`;
}

export async function revoke({ db }: WithDatabase, sessionID: string): Promise<void> {
  await db.$executeRaw`UPDATE sessions SET state = 'revoked' WHERE token_sha256 = ${sha256Of(sessionID)}`;
}

/** Makes it look as if the player had made all house wallet bets earlier by this time. */
export async function ageRounds({ db }: WithDatabase, sessionID: string, ms: number): Promise<void> {
  await db.$executeRaw`
    WITH aged AS (
      UPDATE rounds SET opened_at = opened_at - ${ms} * interval '1 millisecond'
      WHERE player_id = (SELECT player_id FROM sessions WHERE token_sha256 = ${sha256Of(sessionID)}) RETURNING id
    )
    UPDATE transfers t SET created_at = created_at - ${ms} * interval '1 millisecond' FROM aged WHERE t.round_id = aged.id AND t.kind = 'bet'`;
  // Some may have moved to the day before.
  await db.$executeRaw`
    UPDATE accounts a SET wagered_today_micros = (
      SELECT coalesce(sum(amount_micros), 0) FROM transfers
      WHERE from_account_id = a.id AND kind = 'bet' AND (created_at AT TIME ZONE 'UTC')::date = a.counted_on
    )
    WHERE player_id = (SELECT player_id FROM sessions WHERE token_sha256 = ${sha256Of(sessionID)})`;
}

/**
 * Makes it look as if the player had done everything, and then left, this number of days earlier.
 */
export async function leaveFor({ db }: WithDatabase, sessionID: string, days: number): Promise<void> {
  const { playerId } = await db.session.findUniqueOrThrow({ where: { tokenSha256: sha256Of(sessionID) } });
  await age({ db }, days, playerId);
}

const MOMENTS = {
  round_events: ['created_at'],
  transfers: ['created_at'],
  wallet_transactions: ['created_at', 'settled_at', 'result_at'],
  rounds: ['opened_at', 'ended_at', 'auto_completed_at'],
};

/** Moves all that this player, or everybody, has done this number of days into the past. */
export async function age({ db }: WithDatabase, days: number, playerID?: bigint): Promise<void> {
  for (const [table, columns] of Object.entries(MOMENTS)) {
    const set = columns.map((column) => `${column} = ${column} - interval '${days} days'`);
    const id = table === 'rounds' ? 'id' : 'round_id';
    const own = playerID && `WHERE ${id} IN (SELECT id FROM all_rounds WHERE player_id = ${playerID})`;
    for (const name of [table, `archived_${table}`])
      await db.$executeRawUnsafe(`UPDATE ${name} SET ${set} ${own ?? ''}`);
  }
  const own = playerID === undefined ? '' : `WHERE player_id = ${playerID}`;
  const ofGrants = ['starts_at', 'expires_at', 'created_at', 'ended_at'];
  await db.$executeRawUnsafe(
    `UPDATE grants SET ${ofGrants.map((column) => `${column} = ${column} - interval '${days} days'`)}
     ${playerID === undefined ? '' : `WHERE account_id IN (SELECT id FROM accounts WHERE player_id = ${playerID})`}`,
  );
  await db.$executeRawUnsafe(`UPDATE accounts SET counted_on = counted_on - ${days} ${own}`);
  await db.$executeRaw`SELECT fold_game_totals(), recount_game_totals()`;
}
