-- active_session_id, active_at: the session that was active last, and when. A play writes the account
-- anyway, so it writes no page of sessions. sessions.last_active_at is that of a session before another
-- one of the account became active.
-- login_expires_at, country: those of the player, so that a play reads no page of players.
DROP VIEW IF EXISTS session_refusals;
ALTER TABLE accounts
  ADD COLUMN active_session_id bigint,
  ADD COLUMN active_at timestamptz,
  ADD COLUMN login_expires_at timestamptz,
  ADD COLUMN country text;
UPDATE accounts a SET login_expires_at = p.login_expires_at, country = p.country
FROM players p WHERE p.id = a.player_id AND (p.login_expires_at IS NOT NULL OR p.country IS NOT NULL);
