-- Moves completed rounds into the totals of games, and returns how many. One statement does it, and
-- both parts see one snapshot: every reader finds a round in one place, also after a crash. A
-- second call waits for the first one, and then finds only what came later.
CREATE FUNCTION fold_game_totals() RETURNS bigint
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _folded bigint;
BEGIN
  LOCK TABLE game_totals IN SHARE ROW EXCLUSIVE MODE;
  WITH gone AS (
    DELETE FROM completed_rounds
    RETURNING 1
  ), kept AS MATERIALIZED (
    SELECT add_game_totals(ARRAY(SELECT ROW(u.*)::game_totals FROM unfolded_game_totals u))
  )
  SELECT count(*) INTO _folded FROM gone, kept;
  RETURN _folded;
END
$$;
