-- Returns the rounds of an account and game, newest first. A caller adds LIMIT.
-- decision 015: it compares rows, so that only the index of the three columns fits. With two `=`
-- the planner may take the primary key, and read the rounds of every player.
-- decision 002: it is in SQL, so that the planner inlines the query.
CREATE FUNCTION newest_rounds(_account_id bigint, _game_id integer) RETURNS SETOF rounds
LANGUAGE sql STABLE
AS $$
  SELECT r.*
  FROM rounds r
  WHERE (r.account_id, r.game_id, r.id) > (_account_id, _game_id, 0)
    AND (r.account_id, r.game_id, r.id) <= (_account_id, _game_id, 9223372036854775807)
  ORDER BY r.account_id DESC, r.game_id DESC, r.id DESC
$$;
