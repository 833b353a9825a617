-- Returns whether a bet would exceed the player's loss limit of today (UTC). The loss is all bets
-- that were not rolled back, less payouts, without free rounds and their wins. A NULL limit skips
-- the call (STRICT), because the call reads all entries of the day.
CREATE FUNCTION exceeds_daily_loss(_account_id bigint, _amount bigint, _limit bigint) RETURNS boolean
LANGUAGE sql STABLE STRICT
AS $$
  SELECT coalesce(sum(CASE t.kind WHEN 'debit' THEN t.amount_micros WHEN 'credit' THEN -t.amount_micros END), 0)
    + _amount > _limit
  FROM transactions t
  LEFT JOIN bets b ON b.debit_id = t.transaction_id
  WHERE t.player_account_id = _account_id AND t.kind IN ('debit', 'credit')
    AND t.created_at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
    AND b.state IS DISTINCT FROM 'rolled_back' AND t.grant_id IS NULL
$$;
