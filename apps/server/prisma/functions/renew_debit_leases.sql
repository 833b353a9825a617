-- Renews the leases of debits that this node waits for. Skips those that are being settled: waiting for
-- them gains nothing, and two batches could wait for each other.
CREATE FUNCTION renew_debit_leases(_call_ids uuid[]) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  UPDATE wallet_calls w SET due_at = clock_timestamp() + debit_lease()
  FROM (SELECT c.id FROM wallet_calls c WHERE c.id = ANY (_call_ids) AND c.state = 'pending' FOR UPDATE SKIP LOCKED) held
  WHERE w.id = held.id
$$;
