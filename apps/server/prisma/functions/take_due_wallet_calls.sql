-- Leases due credits and rollbacks to the caller for the time that one attempt may take. When the caller
-- dies they are due again. take_abandoned_debits takes the debits.
CREATE FUNCTION take_due_wallet_calls(_limit integer) RETURNS SETOF uuid
LANGUAGE sql VOLATILE
AS $$
  UPDATE wallet_calls w SET due_at = clock_timestamp() + due.lease
  FROM (
    SELECT c.id, o.wallet_timeout_ms * interval '1 millisecond' + wallet_call_grace() AS lease
    FROM wallet_calls c
    JOIN rounds r ON r.id = c.round_id
    JOIN accounts a ON a.id = r.account_id
    JOIN operators o ON o.id = a.operator_id
    WHERE c.state = 'pending' AND c.kind <> 'debit' AND c.due_at <= clock_timestamp()
    ORDER BY c.due_at LIMIT _limit
    FOR UPDATE OF c SKIP LOCKED
  ) due
  WHERE w.id = due.id
  RETURNING w.id
$$;
