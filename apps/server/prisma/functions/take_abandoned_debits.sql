-- Leases debits to the caller whose node has stopped renewing its lease. The caller gives them up.
CREATE FUNCTION take_abandoned_debits(_limit integer) RETURNS SETOF uuid
LANGUAGE sql VOLATILE
AS $$
  UPDATE wallet_calls w SET due_at = clock_timestamp() + debit_lease()
  FROM (
    SELECT c.id FROM wallet_calls c
    WHERE c.state = 'pending' AND c.kind = 'debit' AND c.due_at <= clock_timestamp()
    ORDER BY c.due_at LIMIT _limit
    FOR UPDATE SKIP LOCKED
  ) due
  WHERE w.id = due.id
  RETURNING w.id
$$;
