-- The maintenance level of a request that is refused before its session is checked, or has none.
CREATE FUNCTION maintenance_before_session(_token_sha256 bytea) RETURNS maintenance_level
LANGUAGE sql STABLE
AS $$
  SELECT max(w.level) FROM maintenance w
  LEFT JOIN sessions s ON s.token_sha256 = _token_sha256
  LEFT JOIN players p ON p.id = s.player_id
  LEFT JOIN operators o ON o.id = p.operator_id
  LEFT JOIN game_versions v ON v.id = s.game_version_id
  LEFT JOIN games g ON g.id = v.game_id
  WHERE w.scope = 'server' OR (w.scope = 'operator' AND w.target = o.code) OR (w.scope = 'game' AND w.target = g.code)
$$;
