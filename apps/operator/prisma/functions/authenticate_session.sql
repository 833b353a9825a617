-- Verifies a session and starts its timeout again. A token must be that of the launch.
-- wallet/outcome.ts says a refusal by its code; refusal is NULL on success.
--
-- refusal            | when                                | what becomes of it
-- -------------------|-------------------------------------|-------------------
-- token_of_another   | the token is not that of the launch | ERR_ATE
-- (session_refusal)  | the session may not play            | each has its code
-- session_of_another | the session is of another game      | ERR_VAL
CREATE FUNCTION authenticate_session(
  _session_sha256 bytea, _token_sha256 bytea, _game_id text, _session_timeout_ms bigint, _blocked_countries text,
  OUT refusal text, OUT player_id text, OUT currency text, OUT balance bigint, OUT country text,
  OUT jurisdiction jsonb, OUT daily_loss_limit bigint
)
LANGUAGE plpgsql
AS $$
DECLARE
  _session live_sessions;
BEGIN
  SELECT * INTO _session
  FROM live_sessions s
  WHERE s.session_sha256 = _session_sha256;
  refusal := CASE
    WHEN _token_sha256 <> _session.token_sha256 THEN 'token_of_another'
    WHEN session_refusal(_session, _blocked_countries) IS NOT NULL THEN session_refusal(_session, _blocked_countries)
    WHEN _session.game_id <> _game_id THEN 'session_of_another'
  END;
  IF refusal IS NOT NULL THEN RETURN; END IF;

  player_id := _session.player_id;
  currency := _session.currency;
  country := _session.country;
  jurisdiction := _session.jurisdiction;
  SELECT a.balance_micros, a.daily_loss_limit_micros INTO balance, daily_loss_limit
  FROM accounts a
  WHERE a.id = _session.account_id;
  UPDATE sessions
  SET expires_at = now() + _session_timeout_ms * interval '1 millisecond'
  WHERE session_sha256 = _session_sha256;
END
$$;
