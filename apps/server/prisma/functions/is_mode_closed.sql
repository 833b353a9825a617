-- Returns whether a mode takes no new rounds. decision 002: it is a function, which callers call
-- only while a switch of maintenance is set.
CREATE FUNCTION is_mode_closed(_game_version_id integer, _mode text) RETURNS boolean
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM maintenance m
    JOIN games g ON m.scope = 'game' AND m.target = g.code
    JOIN game_versions v ON v.game_id = g.id AND m.version IN ('', v.version)
    WHERE v.id = _game_version_id AND m.mode = _mode
  );
END
$$;
