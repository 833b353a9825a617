-- Returns the balance of a session's player. It moves nothing and keeps no session alive, because
-- clients poll it. wallet/outcome.ts says a refusal by its code; refusal is NULL on success.
--
-- refusal            | when                                      | what becomes of it
-- -------------------|-------------------------------------------|-------------------
-- (session_refusal)  | the session may not play                  | each has its code
-- session_of_another | it is of another player, currency or game | ERR_VAL
CREATE FUNCTION read_balance(
  _session_sha256 bytea, _player_id text, _currency text, _game_id text, _blocked_countries text,
  OUT refusal text, OUT balance bigint
)
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  _session live_sessions;
BEGIN
  SELECT * INTO _session
  FROM live_sessions s
  WHERE s.session_sha256 = _session_sha256;
  refusal := CASE
    WHEN session_refusal(_session, _blocked_countries) IS NOT NULL THEN session_refusal(_session, _blocked_countries)
    WHEN (_session.player_id, _session.currency, _session.game_id) IS DISTINCT FROM (_player_id, _currency, _game_id)
      THEN 'session_of_another'
  END;
  IF refusal IS NULL THEN
    SELECT a.balance_micros INTO balance FROM accounts a WHERE a.id = _session.account_id;
  END IF;
END
$$;
