-- Settles debits that the operator has accepted: their rounds are debited. A debit that another
-- caller settled before gets no row, and nothing changes.
--
-- _auto_close: a round that pays nothing is completed, since nothing is owed to its player, and its
-- closing is stored: the credit of 0 that tells the operator so. closing_id is the id of that
-- credit, and the node that sent the debit sends it.
-- _closed: the debit has closed the round at the operator too. Then the closing is stored as
-- accepted without an attempt, nothing is sent, and closing_id is NULL.
-- _reported_balance is the balance after the debit, and _reference the wallet's own id of it, as
-- the operator's response says.
--
-- decision 005: no player is locked. No account changes, and every other command leaves a round
-- alone while its debit is pending.
-- decision 018: the caller sends a batch again (_again) when its connection was lost. Then what the
-- first run has accepted has a row as well.
CREATE FUNCTION accept_debits(
  _transaction_id uuid[], _http_status integer[], _auto_close boolean[], _wallet_timeout_ms integer[],
  _reported_balance bigint[], _closed boolean[], _reference text[], _again boolean DEFAULT false
) RETURNS TABLE (ordinal bigint, closing_id uuid)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
  _now timestamptz := clock_timestamp();
BEGIN
  IF _again THEN
    RETURN QUERY
    SELECT c.ordinal, w.transaction_id
    FROM unnest(_transaction_id) WITH ORDINALITY AS c (transaction_id, ordinal)
    JOIN wallet_transactions d
      ON d.transaction_id = c.transaction_id AND d.state = 'accepted' AND d.settled_by = 'operator'
    LEFT JOIN wallet_transactions w
      ON w.round_id = d.round_id AND w.kind = 'credit' AND w.amount_micros = 0 AND w.settled_at IS NULL;
  END IF;
  RETURN QUERY
  WITH accepted AS (
    UPDATE wallet_transactions w
    SET state = 'accepted', settled_at = _now, settled_by = 'operator',
      attempts = w.attempts + 1, result_code = 'accepted', http_status = c.http_status, result_at = _now,
      reported_balance_micros = c.reported_balance, wallet_reference = c.reference
    FROM unnest(_transaction_id, _http_status, _auto_close, _reported_balance, _reference) WITH ORDINALITY
      AS c (transaction_id, http_status, auto_close, reported_balance, reference, ordinal)
    -- decision 005: a search by state would look the batch up in the index of all that is pending.
    WHERE w.transaction_id = c.transaction_id AND w.settled_at IS NULL
    RETURNING c.ordinal, c.auto_close, w.round_id
  ), debited AS (
    UPDATE rounds r
    SET wallet_state = CASE WHEN a.auto_close AND r.payout_micros = 0 THEN 'credited' ELSE 'debited' END::wallet_state,
      ended_at = CASE WHEN a.auto_close AND r.payout_micros = 0 THEN _now END
    FROM accepted a
    WHERE r.id = a.round_id
    RETURNING a.ordinal, r.id AS round_id,
      CASE WHEN a.auto_close AND r.payout_micros = 0 THEN wallet_transaction_id() END AS closing_id
  ), stored AS (
    -- The closings.
    INSERT INTO wallet_transactions (transaction_id, kind, round_id, amount_micros,
      due_at, retry_until, created_at,
      state,
      result_code,
      http_status,
      result_at,
      settled_by,
      settled_at)
    SELECT d.closing_id, 'credit', d.round_id, 0,
      _now + attempt_lease(_wallet_timeout_ms[d.ordinal]), _now + retry_period(), _now,
      CASE WHEN _closed[d.ordinal] THEN 'accepted' ELSE 'pending' END::wallet_transaction_state,
      CASE WHEN _closed[d.ordinal] THEN 'accepted' END,
      CASE WHEN _closed[d.ordinal] THEN _http_status[d.ordinal] END,
      CASE WHEN _closed[d.ordinal] THEN _now END,
      CASE WHEN _closed[d.ordinal] THEN 'operator'::wallet_settler END,
      CASE WHEN _closed[d.ordinal] THEN _now END
    FROM debited d
    WHERE d.closing_id IS NOT NULL
  )
  SELECT d.ordinal, CASE WHEN NOT _closed[d.ordinal] THEN d.closing_id END
  FROM debited d
  CROSS JOIN total_rounds(ARRAY(SELECT round_id FROM debited WHERE closing_id IS NOT NULL), _now);
END
$$;

SELECT pin_plans('accept_debits');
