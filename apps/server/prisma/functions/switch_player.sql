-- Takes a player out of the source: its rows go from the live tables into moved_rows, its rounds
-- out of the totals of games, and from the commit on the target alone may serve it (decision 032).
-- _proof is that of the rows which the target has. Only switched changes anything.
--
-- outcome   | when                                           | what becomes of it
-- ----------|------------------------------------------------|----------------------------------
-- gone      | the move is not closed                         | movePlayer: the player stays
-- unsettled | a round or a wallet transaction came meanwhile | movePlayer waits and copies again
-- changed   | the target has other rows by now               | movePlayer waits and copies again
-- switched  | else                                           | movePlayer lands the player
CREATE FUNCTION switch_player(_move_id uuid, _proof jsonb) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _move cell_moves;
  _totals game_totals[];
BEGIN
  SELECT * INTO _move FROM cell_moves WHERE id = _move_id FOR UPDATE;
  IF _move.state IS DISTINCT FROM 'closed' THEN RETURN 'gone'; END IF;
  -- These locks are stronger than those of plays: no row that refers to these is inserted.
  PERFORM 1 FROM players WHERE id = _move.player_id FOR UPDATE;
  PERFORM 1
  FROM accounts
  WHERE player_id = _move.player_id
  ORDER BY id FOR UPDATE;
  IF EXISTS (SELECT FROM find_unsettled(_move.player_id)) THEN RETURN 'unsettled'; END IF;
  IF EXISTS (SELECT FROM accounts WHERE player_id = _move.player_id AND NOT is_moving) THEN
    RETURN 'unsettled';
  END IF;
  IF move_proof(NULL, _move.player_id) <> _proof THEN RETURN 'changed'; END IF;

  INSERT INTO moved_rows (move_id, table_name, key, fields)
  SELECT _move_id, p.*
  FROM player_rows(_move.player_id) p;
  _totals := ARRAY(SELECT t FROM player_totals(_move.player_id) t);
  -- The source goes on to know that these sessionIDs have ended.
  UPDATE launches
  SET revoked = true
  WHERE operator_id = _move.operator_id AND external_id = _move.external_id AND NOT revoked;
  UPDATE launches
  SET revoked = true
  WHERE token_sha256 IN (SELECT token_sha256 FROM sessions WHERE player_id = _move.player_id) AND NOT revoked;
  PERFORM delete_moved_rows(_move_id);
  PERFORM fold_game_totals();
  PERFORM subtract_game_totals(_totals);
  UPDATE players SET moved_to = _move.target WHERE id = _move.player_id;
  UPDATE cell_moves
  SET state = 'switched', proof = _proof, changed_at = now()
  WHERE id = _move_id;
  PERFORM record_move_event(_move_id);
  IF move_proof(_move_id, NULL) <> _proof THEN
    RAISE EXCEPTION 'the rows of player % have changed', _move.external_id USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN 'switched';
END
$$;
