-- Returns why a player cannot move yet: each open round, and each wallet transaction without a
-- final result, by the state that it waits in.
CREATE FUNCTION find_unsettled(_player_id bigint) RETURNS TABLE (state text, round_id bigint)
LANGUAGE sql STABLE
AS $$
  SELECT CASE WHEN r.wallet_state IN ('debit_pending', 'credit_pending') THEN 'pending' ELSE 'open' END, r.id
  FROM accounts a
  CROSS JOIN LATERAL (SELECT * FROM rounds WHERE account_id = a.id AND ended_at IS NULL) r
  WHERE a.player_id = _player_id
  UNION
  SELECT w.state::text, w.round_id
  FROM accounts a
  CROSS JOIN LATERAL (SELECT id FROM rounds WHERE account_id = a.id) r
  CROSS JOIN LATERAL (SELECT * FROM wallet_transactions WHERE round_id = r.id AND settled_at IS NULL) w
  WHERE a.player_id = _player_id
$$;

SELECT pin_plans('find_unsettled');
