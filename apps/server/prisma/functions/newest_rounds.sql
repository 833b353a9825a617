-- The rounds of an account and game, newest first. A caller reads as many as it needs, by LIMIT.
-- Rows are compared, so that only the index of the three columns fits: with equal signs the planner
-- may take the primary key, and read the rounds of every player. In SQL, so that the planner puts the
-- query itself in its place.
CREATE FUNCTION newest_rounds(_account_id bigint, _game_id integer) RETURNS SETOF rounds
LANGUAGE sql STABLE AS $$
  SELECT r.* FROM rounds r
  WHERE (r.account_id, r.game_id, r.id) > (_account_id, _game_id, 0)
    AND (r.account_id, r.game_id, r.id) <= (_account_id, _game_id, 9223372036854775807)
  ORDER BY r.account_id DESC, r.game_id DESC, r.id DESC
$$;
