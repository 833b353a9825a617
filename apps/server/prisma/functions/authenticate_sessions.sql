-- Authenticates sessions, also idle ones, and returns the round of the account and game: the open
-- one, else the last one, else null.
-- Outcomes: maintenance, session_invalid, login_expired, location_forbidden, authenticated.
CREATE FUNCTION authenticate_sessions(_player_id bigint[], _session_row_id bigint[])
RETURNS TABLE (ordinal bigint, outcome text, balance_micros bigint, round_id bigint)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
  _now timestamptz;
BEGIN
  _now := lock_players(_player_id);
  RETURN QUERY
  WITH command AS MATERIALIZED (
    SELECT * FROM unnest(_session_row_id) WITH ORDINALITY AS c (session_id, ordinal)
  ), judged AS MATERIALIZED (
    SELECT c.ordinal, g.*, a.balance_micros, coalesce(g.authentication_refusal, 'authenticated') AS outcome
    FROM command c
    JOIN session_refusals g ON g.session_id = c.session_id
    JOIN accounts a ON a.id = g.account_id
  ), touched AS (
    UPDATE sessions s SET state = 'authenticated', last_active_at = _now
    FROM judged j WHERE j.outcome = 'authenticated' AND s.id = j.session_id
  )
  -- An open round is always the newest one: no round opens while one is open. Rows are compared so
  -- that only the index of the three columns fits: see read_histories.
  SELECT j.ordinal, j.outcome, j.balance_micros, (
    SELECT r.id FROM rounds r
    WHERE (r.account_id, r.game_id, r.id) > (j.account_id, j.game_id, 0)
      AND (r.account_id, r.game_id, r.id) <= (j.account_id, j.game_id, 9223372036854775807)
      AND (r.wallet_state IS NULL OR r.wallet_state NOT IN ('debit_pending', 'void'))
    ORDER BY r.account_id DESC, r.game_id DESC, r.id DESC LIMIT 1
  ) FROM judged j;
END
$$;

SELECT pin_plans('authenticate_sessions');
