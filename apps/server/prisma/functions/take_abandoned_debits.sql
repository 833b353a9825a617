-- Leases debits to the caller whose node has stopped renewing its lease. The caller gives them up.
CREATE FUNCTION take_abandoned_debits(_limit integer) RETURNS SETOF uuid
LANGUAGE sql VOLATILE
AS $$
  UPDATE wallet_transactions w SET due_at = clock_timestamp() + debit_lease()
  FROM (
    SELECT t.transaction_id FROM wallet_transactions t
    WHERE t.state = 'pending' AND t.kind = 'debit' AND t.due_at <= clock_timestamp()
    ORDER BY t.due_at LIMIT _limit
    FOR UPDATE SKIP LOCKED
  ) due
  WHERE w.transaction_id = due.transaction_id
  RETURNING w.transaction_id
$$;
