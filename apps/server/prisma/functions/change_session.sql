-- Makes another session the active one of the account: stores when the earlier one was last active,
-- and returns the new one.
-- decision 002: it is a function because few commands change the session. PostgreSQL prepares every
-- part of a statement for each run, and calls a function only when it is needed.
CREATE FUNCTION change_session(_left_id bigint, _left_active_at timestamptz, _session_id bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  UPDATE sessions SET last_active_at = _left_active_at WHERE id = _left_id;
  RETURN _session_id;
END
$$;
