-- Deletes the rows of a move from the live tables, except for the row of the player. A row that was
-- added or deleted meanwhile (by the archive or the purge of sessions) is an error; then the move
-- is tried again.
CREATE FUNCTION delete_moved_rows(_move_id uuid) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _table text;
  _key text;
  _type text;
  _deleted bigint;
  _expected bigint;
BEGIN
  FOR _table IN
    SELECT t.name
    FROM unnest(moved_tables()) WITH ORDINALITY t (name, ordinal)
    WHERE t.name <> 'players'
    ORDER BY t.ordinal DESC
  LOOP
    _key := CASE
      WHEN _table LIKE '%round_events' OR _table = 'round_traces' THEN 'round_id'
      WHEN _table LIKE '%wallet_transactions' THEN 'transaction_id'
      ELSE 'id'
    END;
    _type := CASE _key WHEN 'transaction_id' THEN 'uuid' ELSE 'bigint' END;
    EXECUTE format($sql$
      DELETE FROM %1$I
      WHERE %2$I IN (
        SELECT split_part(m.key, ' ', 1)::%3$s
        FROM moved_rows m
        WHERE m.move_id = $1 AND m.table_name = %1$L
      )
    $sql$, _table, _key, _type) USING _move_id;
    GET DIAGNOSTICS _deleted = ROW_COUNT;
    SELECT count(*) INTO _expected
    FROM moved_rows m
    WHERE m.move_id = _move_id AND m.table_name = _table;
    IF _deleted <> _expected THEN
      RAISE EXCEPTION '% of % rows of % were there', _deleted, _expected, _table
        USING ERRCODE = 'serialization_failure';
    END IF;
  END LOOP;
END
$$;

SELECT pin_plans('delete_moved_rows');
