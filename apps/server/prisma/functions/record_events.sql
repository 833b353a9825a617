-- Stores the next event of the player in the open round. A round holds 1,000 events at most, and
-- 1 MiB of text.
--
-- outcome             | when                                 | what becomes of it
-- --------------------|--------------------------------------|-------------------
-- (session_refusals)  | the session is refused               | each has its code
-- no_active_round     | no round is open                     | ERR_VAL
-- too_many_events     | the round has 1,000 events           | ERR_VAL
-- too_much_event_text | the round would have more than 1 MiB | ERR_VAL
-- recorded            | else                                 | event succeeds
--
-- decision 018: the caller sends a batch again (_again) when its connection was lost. Then the
-- event is recorded when the newest one is the same.
CREATE FUNCTION record_events(
  _player_id bigint[], _session_row_id bigint[], _event text[], _again boolean DEFAULT false
) RETURNS TABLE (ordinal bigint, outcome text)
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
    FROM unnest(_session_row_id, _event) WITH ORDINALITY AS c (session_id, event, ordinal)
  ), judged AS MATERIALIZED (
    SELECT c.*, s.account_ctid, s.active_session_id, s.active_at, r.id AS round_id, latest.seq,
      _again AND latest.event = c.event AS is_repeated,
      CASE
        WHEN s.refusal IS NOT NULL THEN s.refusal
        WHEN r.id IS NULL THEN 'no_active_round'
        WHEN _again AND latest.event = c.event THEN 'recorded'
        WHEN latest.seq >= 1000 THEN 'too_many_events'
        -- 128 events of 8 KiB are 1 MiB, so the sum is read in rounds of more events alone.
        WHEN latest.seq >= 128
          AND octet_length(c.event)
            + (SELECT sum(octet_length(e.event)) FROM round_events e WHERE e.round_id = r.id) > 1048576
          THEN 'too_much_event_text'
        ELSE 'recorded'
      END AS outcome
    FROM command c
    JOIN session_refusals s ON s.session_id = c.session_id
    LEFT JOIN LATERAL (
      SELECT r.id
      FROM rounds r
      WHERE r.account_id = s.account_id AND r.game_id = s.game_id AND r.ended_at IS NULL
        AND r.wallet_state IS DISTINCT FROM 'debit_pending'
      LIMIT 1
    ) r ON true
    LEFT JOIN LATERAL (
      SELECT e.seq, e.event
      FROM round_events e
      WHERE e.round_id = r.id
      ORDER BY e.seq DESC LIMIT 1
    ) latest ON true
  ), recorded AS (
    INSERT INTO round_events (round_id, seq, event, created_at)
    SELECT j.round_id, coalesce(j.seq, 0) + 1, j.event, _now
    FROM judged j
    WHERE j.outcome = 'recorded' AND j.is_repeated IS NOT TRUE
  ), active AS (
    UPDATE accounts a
    SET active_session_id = active_session(j.active_session_id, j.active_at, j.session_id), active_at = _now
    FROM judged j
    WHERE j.outcome = 'recorded' AND a.ctid = j.account_ctid
  )
  SELECT j.ordinal, j.outcome FROM judged j;
END
$$;

SELECT pin_plans('record_events');
