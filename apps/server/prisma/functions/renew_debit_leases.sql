-- Renews the leases of debits that this node waits for. Skips those that are being settled: waiting
-- for them gains nothing, and two batches could wait for each other.
CREATE FUNCTION renew_debit_leases(_transaction_ids uuid[]) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  UPDATE wallet_transactions w SET due_at = clock_timestamp() + debit_lease()
  FROM (
    SELECT t.transaction_id FROM wallet_transactions t
    WHERE t.transaction_id = ANY (_transaction_ids) AND t.state = 'pending' FOR UPDATE SKIP LOCKED
  ) held
  WHERE w.transaction_id = held.transaction_id
$$;
