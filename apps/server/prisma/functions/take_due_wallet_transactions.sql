-- Leases due credits and rollbacks to the caller for the time that one attempt may take. When the
-- caller dies they are due again. take_abandoned_debits takes the debits.
CREATE FUNCTION take_due_wallet_transactions(_limit integer) RETURNS SETOF uuid
LANGUAGE sql VOLATILE
AS $$
  UPDATE wallet_transactions w SET due_at = clock_timestamp() + attempt_lease(
    (SELECT d.wallet_timeout_ms FROM wallet_transaction_details d WHERE d.transaction_id = w.transaction_id))
  FROM (
    SELECT t.transaction_id FROM wallet_transactions t
    WHERE t.state = 'pending' AND t.kind <> 'debit' AND t.due_at <= clock_timestamp()
    ORDER BY t.due_at LIMIT _limit
    FOR UPDATE SKIP LOCKED
  ) due
  WHERE w.transaction_id = due.transaction_id
  RETURNING w.transaction_id
$$;
