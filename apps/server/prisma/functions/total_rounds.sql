-- Adds rounds that have just ended, completed or void, to the totals of their games. The caller
-- passes each round once, in the call that ends it: a second call would count it again.
CREATE FUNCTION total_rounds(_round_id bigint[], _now timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  IF _round_id = '{}' THEN RETURN; END IF;
  INSERT INTO completed_rounds (operator_id, game_version_id, day,
    is_void, is_free,
    bet_micros, payout_micros, mode, currency)
  SELECT a.operator_id, r.game_version_id, (_now AT TIME ZONE 'UTC')::date,
    r.wallet_state IS NOT DISTINCT FROM 'void', r.grant_id IS NOT NULL,
    r.debit_micros, r.payout_micros, r.mode, a.currency
  FROM unnest(_round_id) AS c (round_id)
  CROSS JOIN LATERAL (SELECT * FROM rounds WHERE id = c.round_id LIMIT 1) r
  CROSS JOIN LATERAL (SELECT operator_id, currency FROM accounts WHERE id = r.account_id LIMIT 1) a;
END
$$;
