-- Begins to move a player to another cell: no round of the player is opened here from then on.
-- Called again, it also closes accounts that were opened meanwhile.
--
-- outcome | when                                 | what becomes of it
-- --------|--------------------------------------|-----------------------------
-- unknown | there is no such player              | movePlayer: the player stays
-- moved   | the player has moved to another cell | movePlayer: the player stays
-- moving  | another move has the player          | movePlayer: the player stays
-- closed  | else                                 | movePlayer copies the rows
CREATE FUNCTION close_player(_move_id uuid, _player_id bigint, _source integer, _target integer) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _player players;
BEGIN
  SELECT * INTO _player FROM players WHERE id = _player_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  IF _player.moved_to IS NOT NULL THEN RETURN 'moved'; END IF;
  PERFORM lock_players(ARRAY[_player_id]);
  INSERT INTO cell_moves (id, operator_id, player_id, external_id, source, target, state)
  VALUES (_move_id, _player.operator_id, _player_id, _player.external_id, _source, _target, 'closed')
  ON CONFLICT DO NOTHING;
  IF NOT EXISTS (
    SELECT FROM cell_moves
    WHERE id = _move_id AND player_id = _player_id AND state = 'closed'
  ) THEN
    RETURN 'moving';
  END IF;
  UPDATE accounts
  SET is_moving = true
  WHERE player_id = _player_id AND NOT is_moving;
  RETURN 'closed';
END
$$;
