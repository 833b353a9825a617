import type { Database } from '../../src/ledger/database.ts';
import { sha256Of } from '../../src/sessions/sessionToken.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

type WithDatabase = { db: Database };

/** As if so much time had passed since the session was last active. */
export async function idleFor({ db }: WithDatabase, sessionID: string, ms: number): Promise<void> {
  await db.$executeRaw`
    WITH idle AS (
      UPDATE sessions SET last_active_at = last_active_at - ${ms} * interval '1 millisecond'
      WHERE token_sha256 = ${sha256Of(sessionID)} RETURNING id
    )
    UPDATE accounts a SET active_at = active_at - ${ms} * interval '1 millisecond' FROM idle WHERE a.active_session_id = idle.id`;
}

/** As if the session's life had ended a moment ago. */
export async function endLifetime({ db }: WithDatabase, sessionID: string): Promise<void> {
  await db.$executeRaw`UPDATE sessions SET expires_at = now() WHERE token_sha256 = ${sha256Of(sessionID)}`;
}

export async function revoke({ db }: WithDatabase, sessionID: string): Promise<void> {
  await db.$executeRaw`UPDATE sessions SET state = 'revoked' WHERE token_sha256 = ${sha256Of(sessionID)}`;
}

/** As if the player's rounds had been opened so much earlier. */
export async function ageRounds({ db }: WithDatabase, sessionID: string, ms: number): Promise<void> {
  await db.$executeRaw`
    UPDATE rounds SET opened_at = opened_at - ${ms} * interval '1 millisecond'
    WHERE player_id = (SELECT player_id FROM sessions WHERE token_sha256 = ${sha256Of(sessionID)})`;
}

/** As if all that the player of the session wagered and won had been a day earlier. */
export async function passDay({ db }: WithDatabase, sessionID: string): Promise<void> {
  const tokenSha256 = sha256Of(sessionID);
  await db.$executeRaw`
    UPDATE accounts SET counted_on = counted_on - 1
    WHERE player_id = (SELECT player_id FROM sessions WHERE token_sha256 = ${tokenSha256})`;
  await db.$executeRaw`
    UPDATE transfers SET created_at = created_at - interval '1 day'
    WHERE round_id IN (SELECT r.id FROM rounds r JOIN sessions s ON s.player_id = r.player_id WHERE s.token_sha256 = ${tokenSha256})`;
}
