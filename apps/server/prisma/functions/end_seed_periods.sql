-- Reveals every server seed; each account gets new ones before its next fair round. decision 008:
-- after a restore the nonces of the lost rounds would be used again, for results that players have
-- seen.
CREATE FUNCTION end_seed_periods() RETURNS void
LANGUAGE sql VOLATILE
AS $$
  UPDATE fair_seeds s
  SET revealed_at = now(),
    nonces = CASE WHEN s.id = a.fair_seed_id THEN a.fair_nonce ELSE 0 END
  FROM accounts a
  WHERE a.id = s.account_id AND s.revealed_at IS NULL;
  UPDATE accounts
  SET fair_seed_id = NULL, fair_client_seed_id = NULL, fair_nonce = NULL
  WHERE fair_seed_id IS NOT NULL;
$$;
