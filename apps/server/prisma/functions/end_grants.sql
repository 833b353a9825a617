-- Gives offered or accepted grants this state (expired, cancelled or declined) and takes their
-- unused rounds. To expire, a grant must be due and have a round left. Then finish_grant ends each
-- of the named grants, whatever its state, unless a round of it is open: it ends with that round.
-- Returns how many grants got the state. Those that only finish_grant has changed do not count.
CREATE FUNCTION end_grants(_grant_id bigint[], _state grant_state) RETURNS bigint
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _now timestamptz;
  _changed bigint;
  _id bigint;
BEGIN
  IF _grant_id = '{}' THEN RETURN 0; END IF;
  _now := lock_players(ARRAY(
    SELECT a.player_id
    FROM grants g
    JOIN accounts a ON a.id = g.account_id
    WHERE g.id = ANY (_grant_id)
  ));
  UPDATE grants g
  SET state = _state, change_seq = NULL, "left" = 0,
    expired = g.expired + CASE WHEN _state = 'expired' THEN g."left" ELSE 0 END,
    cancelled = g.cancelled + CASE WHEN _state = 'expired' THEN 0 ELSE g."left" END
  WHERE g.id = ANY (_grant_id) AND g.state IN ('offered', 'accepted')
    -- A grant whose last round is open becomes finished with that round.
    AND (_state <> 'expired' OR (g.expires_at <= _now AND g."left" > 0));
  GET DIAGNOSTICS _changed = ROW_COUNT;
  FOREACH _id IN ARRAY _grant_id LOOP
    PERFORM finish_grant(_id, _now);
  END LOOP;
  RETURN _changed;
END
$$;
