-- Adds the event of a player who has left this cell or has come to it.
CREATE FUNCTION record_move_event(_move_id uuid) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  SELECT record_significant_event(
    'player_moved',
    'player ' || m.external_id || ' of operator ' || o.code,
    jsonb_build_object('cell', m.source)::text,
    jsonb_build_object('cell', m.target, 'rows', m.proof)::text
  )
  FROM cell_moves m
  JOIN operators o ON o.id = m.operator_id
  WHERE m.id = _move_id
$$;
