-- What the player has lost today (UTC) in micros: bets that were not rolled back, less payouts. A win is below zero.
CREATE FUNCTION loss_of_today(_account_id bigint) RETURNS bigint
LANGUAGE sql STABLE
AS $$
  SELECT coalesce(sum(CASE t.kind WHEN 'debit' THEN t.amount_micros WHEN 'credit' THEN -t.amount_micros END), 0)::bigint
  FROM transactions t
  LEFT JOIN bets b ON b.debit_id = t.transaction_id
  WHERE t.player_account_id = _account_id AND t.kind IN ('debit', 'credit')
    AND t.created_at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
    AND b.state IS DISTINCT FROM 'rolled_back'
$$;
