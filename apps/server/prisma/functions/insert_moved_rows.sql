-- Inserts the rows of a move into the live tables of this database, with its own ids of operators,
-- games and campaigns.
CREATE FUNCTION insert_moved_rows(_move_id uuid) RETURNS void
LANGUAGE plpgsql VOLATILE
SET TimeZone = 'UTC'
AS $$
DECLARE
  _move cell_moves := (SELECT m FROM cell_moves m WHERE m.id = _move_id);
  _table text;
BEGIN
  -- stage_player has inserted a row of the player that names the source.
  DELETE FROM players WHERE id = _move.player_id AND moved_to IS NOT NULL;
  FOREACH _table IN ARRAY moved_tables() LOOP
    EXECUTE format($sql$
      INSERT INTO %1$I
      SELECT r.*
      FROM moved_rows m
      CROSS JOIN LATERAL jsonb_populate_record(NULL::%1$I, with_ids(m.fields, $2)) r
      WHERE m.move_id = $1 AND m.table_name = %1$L
      ORDER BY length(m.key), m.key
    $sql$, _table) USING _move_id, _move.operator_id;
  END LOOP;
END
$$;
