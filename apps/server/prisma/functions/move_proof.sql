-- Sums up the rows of a player: those of a move that are in moved_rows, or those of a player in the
-- live tables; NULL leaves one out. It counts the rows and adds up all their amounts, by table, and
-- hashes the hashes of the rows in the order of their tables and keys. When two databases return
-- the same, they have the same rows.
CREATE FUNCTION move_proof(_move_id uuid, _player_id bigint) RETURNS jsonb
LANGUAGE sql STABLE
AS $$
  WITH moving AS MATERIALIZED (
    SELECT m.table_name COLLATE "C" AS table_name, m.key COLLATE "C" AS key, m.fields
    FROM moved_rows m
    WHERE m.move_id = _move_id
    UNION ALL
    SELECT p.table_name, p.key, p.fields
    FROM player_rows(_player_id) p
  ), by_table AS (
    SELECT table_name, count(*) AS rows, sum(micros) AS micros
    FROM moving
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(value::numeric), 0) AS micros
      FROM jsonb_each(fields)
      WHERE key LIKE '%\_micros' AND jsonb_typeof(value) = 'number'
    ) amounts
    GROUP BY table_name
  )
  SELECT jsonb_build_object(
    'tables', (
      SELECT coalesce(jsonb_object_agg(table_name, jsonb_build_object('rows', rows, 'micros', micros)), '{}')
      FROM by_table
    ),
    'sha256', (
      SELECT encode(sha256(coalesce(string_agg(
        sha256(convert_to(concat_ws(' ', table_name, key, fields), 'UTF8')), '' ORDER BY table_name, key
      ), '')), 'hex')
      FROM moving
    )
  )
$$;
