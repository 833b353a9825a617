-- Prepares the target for the rows of a player: it stores a row of the move, and a row of the
-- player that names the source, so that nobody creates the player here. It deletes what an earlier
-- attempt has left.
--
-- outcome  | when                               | what becomes of it
-- ---------|------------------------------------|------------------------------
-- finished | the player is here already         | stagePlayer copies nothing
-- here     | the cell has a player of this name | MoveRefused: the player stays
-- staged   | else                               | stagePlayer copies the rows
CREATE FUNCTION stage_player(
  _move_id uuid, _player_id bigint, _operator text, _external_id text, _source integer, _target integer, _proof jsonb
) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _operator_id integer := (SELECT id FROM operators WHERE code = _operator);
BEGIN
  INSERT INTO cell_moves (id, operator_id, player_id, external_id, source, target, state, proof)
  VALUES (_move_id, _operator_id, _player_id, _external_id, _source, _target, 'staged', _proof)
  ON CONFLICT (id) DO UPDATE SET proof = excluded.proof, changed_at = now()
  WHERE cell_moves.state = 'staged';
  IF NOT FOUND THEN RETURN 'finished'; END IF;
  DELETE FROM moved_rows WHERE move_id = _move_id;
  INSERT INTO players (id, operator_id, external_id, moved_to)
  VALUES (_player_id, _operator_id, _external_id, _source)
  ON CONFLICT (operator_id, external_id) DO UPDATE SET moved_to = excluded.moved_to
  WHERE players.id = excluded.id AND players.moved_to IS NOT NULL;
  IF NOT FOUND THEN RETURN 'here'; END IF;
  RETURN 'staged';
END
$$;
