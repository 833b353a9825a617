-- Locks all accounts of these players until the transaction ends, by ascending id, and returns the
-- time after the lock.
--
-- This is the one lock of a player (decision 004). When two commands want an account, one waits
-- until the other has ended, and its next statement sees what that one committed (READ COMMITTED).
-- So nobody changes an account between the judgement of a command and its writes. Whoever locks
-- several accounts takes them by ascending id, so no two of them deadlock. The returned times of
-- one player ascend while the clock does.
--
-- Other functions write without this call, each with another guard:
--   accept_debits and settle_closings change no account: the first result of a wallet transaction
--     stands, because their UPDATE takes only rows with settled_at IS NULL (decision 005);
--   complete_rounds locks in the same way, but skips accounts that are locked (decision 023);
--   archive_rounds moves only rounds that no command changes any more;
--   give_grants inserts grants, and locks the accounts when they are automatic;
--   switch_player, setBalance.ts and players.ts lock the accounts themselves;
--   land_player inserts a player that this cell did not serve, and locks the move;
--   publish_grant_changes numbers grants under the lock of their operator;
--   end_seed_periods runs once after a restore, and changes the seeds of all accounts.
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
