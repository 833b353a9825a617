-- Takes a player into the target: its staged rows go into the live tables, its rounds into the
-- totals of games, and from the commit on the cell serves it. decision 032: the live rows must have
-- the proof of the source, and each balance must be the sum of its transfers.
--
-- outcome  | when                         | what becomes of it
-- ---------|------------------------------|---------------------------------
-- unknown  | the target has lost the move | movePlayer stages the rows again
-- finished | the player has landed before | movePlayer ends the move
-- landed   | else                         | movePlayer ends the move
CREATE FUNCTION land_player(_move_id uuid) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _move cell_moves;
  _account_id bigint;
BEGIN
  SELECT * INTO _move FROM cell_moves WHERE id = _move_id FOR UPDATE;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  IF _move.state = 'finished' THEN RETURN 'finished'; END IF;
  PERFORM insert_moved_rows(_move_id);
  IF move_proof(NULL, _move.player_id) IS DISTINCT FROM _move.proof THEN
    RAISE EXCEPTION 'the rows of player % are not those of the source', _move.external_id;
  END IF;
  SELECT a.id INTO _account_id
  FROM accounts a
  WHERE a.player_id = _move.player_id AND a.balance_micros <> (
    SELECT coalesce(sum(CASE WHEN t.to_account_id = a.id THEN t.amount_micros ELSE -t.amount_micros END), 0)
    FROM (
      SELECT t.*
      FROM all_rounds r
      JOIN all_transfers t ON t.round_id = r.id
      WHERE r.account_id = a.id
      UNION ALL
      SELECT t.*
      FROM transfers t
      WHERE t.round_id IS NULL
        AND (CASE t.kind WHEN 'deposit' THEN t.to_account_id ELSE t.from_account_id END) = a.id
    ) t
  );
  IF FOUND THEN RAISE EXCEPTION 'the balance of account % is not the sum of its transfers', _account_id; END IF;
  PERFORM add_game_totals(ARRAY(SELECT t FROM player_totals(_move.player_id) t));
  DELETE FROM moved_rows WHERE move_id = _move_id;
  UPDATE cell_moves
  SET state = 'finished', changed_at = now()
  WHERE id = _move_id;
  PERFORM record_move_event(_move_id);
  RETURN 'landed';
END
$$;

SELECT pin_plans('land_player');
