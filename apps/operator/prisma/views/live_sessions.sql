-- Shows the sessions that have not timed out. country is where the player is, or else lives, when
-- that is known.
CREATE VIEW live_sessions AS
SELECT s.session_sha256, s.token_sha256, s.account_id, p.external_id AS player_id, a.currency, s.game_id,
  coalesce(s.country, p.country) AS country,
  s.jurisdiction,
  coalesce(p.login_expires_at <= now(), false) AS login_has_expired
FROM sessions s
JOIN accounts a ON a.id = s.account_id
JOIN players p ON p.id = a.player_id
WHERE s.expires_at > now();
