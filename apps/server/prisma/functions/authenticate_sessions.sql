-- Authenticates sessions, also idle ones, and returns the round of the account and game with its
-- last event: the open one, else the last completed one.
--
-- outcome            | when                                       | what becomes of it
-- -------------------|--------------------------------------------|-------------------------------
-- (session_refusals) | authentication_refusal refuses the session | each has its code
-- authenticated      | else                                       | authenticate returns the round
--
-- The columns of the round are NULL when there is none. grants are the open grants of the account
-- and game, NULL without any; round_grant_id is the operator's id of the grant of a free round.
-- max_stake_micros is the most that one play may cost, by the session and by the operator.
-- decision 023: a session of a single instance ends the player's other authenticated sessions.
CREATE FUNCTION authenticate_sessions(_player_id bigint[], _session_row_id bigint[])
RETURNS TABLE (
  ordinal bigint, outcome text, balance_micros bigint,
  round_id bigint, version text, mode text, cost_multiplier numeric, amount_micros bigint, payout_micros bigint,
  book_id bigint, payout_multiplier bigint, active boolean, last_event text,
  max_stake_micros bigint, round_grant_id text, grants jsonb
)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
  _now timestamptz;
BEGIN
  _now := lock_players(_player_id);
  RETURN QUERY
  WITH command AS MATERIALIZED (
    SELECT *
    FROM unnest(_session_row_id) WITH ORDINALITY AS c (session_id, ordinal)
  ), judged AS MATERIALIZED (
    SELECT c.ordinal, s.*, coalesce(s.authentication_refusal, 'authenticated') AS outcome, limits.max_bet_micros
    FROM command c
    JOIN session_refusals s ON s.session_id = c.session_id
    LEFT JOIN LATERAL (
      SELECT l.max_bet_micros
      FROM operator_limits l
      WHERE l.operator_id = s.operator_id AND l.currency = s.currency
      LIMIT 1
    ) limits ON true
  ), active AS (
    UPDATE accounts a
    SET active_session_id = CASE
        -- No row is updated twice: `ended` has the sessions of a single instance.
        WHEN j.single_instance THEN j.session_id
        ELSE active_session(j.active_session_id, j.active_at, j.session_id)
      END,
      active_at = _now
    FROM judged j
    WHERE j.outcome = 'authenticated' AND a.ctid = j.account_ctid
  ), authenticated AS (
    UPDATE sessions s
    SET state = 'authenticated'
    FROM judged j
    WHERE j.outcome = 'authenticated' AND j.state = 'issued' AND s.id = j.session_id AND s.state = 'issued'
  ), ended AS (
    UPDATE sessions s
    SET state = 'revoked'
    FROM judged j
    WHERE j.outcome = 'authenticated' AND j.single_instance AND s.player_id = j.player_id AND s.id <> j.session_id
      AND s.state = 'authenticated' AND s.expires_at > _now
  )
  SELECT j.ordinal, j.outcome, j.balance_micros,
    r.id, v.version, r.mode, r.cost_multiplier, r.amount_micros, r.payout_micros,
    r.book_id, r.payout_multiplier, r.ended_at IS NULL, e.event,
    least(j.max_stake_micros, j.max_bet_micros),
    CASE WHEN r.grant_id IS NOT NULL THEN (SELECT g.external_id FROM grants g WHERE g.id = r.grant_id) END,
    CASE WHEN j.outcome = 'authenticated' THEN grants_of(j.account_id, j.game_id, _now, NULL) END
  FROM judged j
  -- An open round is always the newest one: no round opens while one is open.
  LEFT JOIN LATERAL (
    SELECT *
    FROM newest_rounds(j.account_id, j.game_id) n
    WHERE n.wallet_state IS NULL OR n.wallet_state NOT IN ('debit_pending', 'void')
    LIMIT 1
  ) r ON true
  LEFT JOIN LATERAL (SELECT version FROM game_versions WHERE id = r.game_version_id LIMIT 1) v ON true
  LEFT JOIN LATERAL (SELECT event FROM round_events WHERE round_id = r.id ORDER BY seq DESC LIMIT 1) e ON true;
END
$$;

SELECT pin_plans('authenticate_sessions');
