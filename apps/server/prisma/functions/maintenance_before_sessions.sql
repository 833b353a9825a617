-- Returns the maintenance level of each request that is refused before its session is checked, or
-- that names no session, with its refusal. It leaves out modes: only the bet rules read the mode of
-- a request. It leaves out withdrawn versions as well: when no node serves a version, its session
-- has ended.
CREATE FUNCTION maintenance_before_sessions(_token_sha256 bytea[])
RETURNS TABLE (ordinal bigint, level text, refusal text)
LANGUAGE sql STABLE
AS $$
  SELECT c.ordinal, (m.strongest).level::text, (m.strongest).scope || '_maintenance'
  FROM (SELECT EXISTS (SELECT FROM maintenance) AS is_any) any_row
  CROSS JOIN unnest(_token_sha256) WITH ORDINALITY AS c (token_sha256, ordinal)
  LEFT JOIN LATERAL (
    SELECT o.code AS operator, s.game_version_id
    FROM sessions s
    JOIN players p ON p.id = s.player_id
    JOIN operators o ON o.id = p.operator_id
    WHERE any_row.is_any AND s.token_sha256 = c.token_sha256
    LIMIT 1
  ) f ON true
  CROSS JOIN LATERAL (
    SELECT CASE WHEN any_row.is_any THEN maintenance_of(f.operator, f.game_version_id) END AS strongest
    OFFSET 0
  ) m
$$;
