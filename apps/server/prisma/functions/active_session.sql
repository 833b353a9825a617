-- Returns the session that is active on an account after a command of _session_id.
-- decision 002: it is in SQL, so that the planner inlines the expression.
CREATE FUNCTION active_session(_active_id bigint, _active_at timestamptz, _session_id bigint) RETURNS bigint
LANGUAGE sql VOLATILE
AS $$
  SELECT CASE
    WHEN _active_id <> _session_id THEN change_session(_active_id, _active_at, _session_id)
    ELSE _session_id
  END
$$;
