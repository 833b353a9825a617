-- Returns the strongest switch of maintenance of the server, the operator, the game of this version
-- and this version, or NULL; of equal ones that of the widest scope. It leaves out modes. decision
-- 002: it is a function, which callers call only while a switch of maintenance is set.
CREATE FUNCTION maintenance_of(_operator text, _game_version_id integer) RETURNS maintenance
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN (
    SELECT m
    FROM maintenance m
    WHERE m.mode = '' AND CASE m.scope
      WHEN 'server' THEN true
      WHEN 'operator' THEN m.target = _operator
      ELSE EXISTS (
        SELECT FROM game_versions v
        JOIN games g ON g.id = v.game_id
        WHERE v.id = _game_version_id AND g.code = m.target AND m.version IN ('', v.version)
      )
    END
    ORDER BY m.level DESC, m.scope
    LIMIT 1
  );
END
$$;
