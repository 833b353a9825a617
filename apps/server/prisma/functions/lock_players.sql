-- Locks all accounts of these players, in the order of their ids, and returns the time after the
-- lock. Every command that writes calls it first. It is the one lock of a player, and the sorted
-- order prevents a deadlock between two batches. The next statement of the command sees what the
-- transaction before it committed (READ COMMITTED), and the time stamps a player's rows in the
-- order of events.
-- decision 002: every caller pins its plans (pin_plans), because a connection makes one plan of
-- this look-up for all of them.
CREATE FUNCTION lock_players(_player_ids bigint[]) RETURNS timestamptz
LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM 1
  FROM accounts a
  WHERE a.player_id = ANY (_player_ids)
  ORDER BY a.id FOR NO KEY UPDATE;
  RETURN clock_timestamp();
END
$$;
