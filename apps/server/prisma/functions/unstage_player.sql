-- Deletes what stage_player and the copy have left at the target, and the row of the player, unless
-- the cell has had the player before.
CREATE FUNCTION unstage_player(_move_id uuid) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _player_id bigint;
BEGIN
  DELETE FROM moved_rows m
  USING cell_moves c
  WHERE c.id = _move_id AND c.state = 'staged' AND m.move_id = c.id;
  DELETE FROM cell_moves
  WHERE id = _move_id AND state = 'staged'
  RETURNING player_id INTO _player_id;
  DELETE FROM players p
  WHERE p.id = _player_id AND p.moved_to IS NOT NULL
    AND NOT EXISTS (SELECT FROM cell_moves c WHERE c.player_id = p.id);
END
$$;
