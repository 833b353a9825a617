-- The maintenance level of each request that is refused before its session is checked, or names
-- none.
CREATE FUNCTION maintenance_before_sessions(_token_sha256 bytea[])
RETURNS TABLE (ordinal bigint, level text)
LANGUAGE sql STABLE
AS $$
  SELECT c.ordinal, (
    SELECT max(w.level)::text FROM maintenance w
    LEFT JOIN sessions s ON s.token_sha256 = c.token_sha256
    LEFT JOIN players p ON p.id = s.player_id
    LEFT JOIN operators o ON o.id = p.operator_id
    LEFT JOIN game_versions v ON v.id = s.game_version_id
    LEFT JOIN games g ON g.id = v.game_id
    WHERE w.scope = 'server' OR (w.scope = 'operator' AND w.target = o.code) OR (w.scope = 'game' AND w.target = g.code)
  )
  FROM unnest(_token_sha256) WITH ORDINALITY AS c (token_sha256, ordinal)
$$;
