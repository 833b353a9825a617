-- Undoes a move before the switch: the source opens rounds of the player again. Returns false when
-- the move is no longer closed.
CREATE FUNCTION open_player(_move_id uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _player_id bigint;
BEGIN
  UPDATE cell_moves
  SET state = 'undone', changed_at = now()
  WHERE id = _move_id AND state = 'closed'
  RETURNING player_id INTO _player_id;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM lock_players(ARRAY[_player_id]);
  UPDATE accounts
  SET is_moving = false
  WHERE player_id = _player_id AND is_moving;
  RETURN true;
END
$$;
