-- The session that is active on an account after a command of _session_id. In SQL, so that the
-- planner puts the expression itself in its place.
CREATE FUNCTION active_session(_active_id bigint, _active_at timestamptz, _session_id bigint) RETURNS bigint
LANGUAGE sql VOLATILE AS $$
  SELECT CASE WHEN _active_id <> _session_id THEN change_session(_active_id, _active_at, _session_id) ELSE _session_id END
$$;
