-- Stores the results of the first attempts of closings, which accept_debits has stored. Recovery
-- retries any that is not accepted. The round does not change: it is credited already. A closing
-- that another caller settled before gets no row, and nothing changes.
-- decision 005: no player is locked, because no account changes.
CREATE FUNCTION settle_closings(
  _transaction_id uuid[], _result_code text[], _http_status integer[], _result_detail text[],
  _reference text[]
) RETURNS TABLE (ordinal bigint)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
  _now timestamptz := clock_timestamp();
BEGIN
  RETURN QUERY
  WITH settled AS (
    UPDATE wallet_transactions w
    SET state = CASE WHEN c.result_code = 'accepted' THEN 'accepted' ELSE w.state END,
      settled_at = CASE WHEN c.result_code = 'accepted' THEN _now END,
      settled_by = CASE WHEN c.result_code = 'accepted' THEN 'operator'::wallet_settler END,
      due_at = CASE WHEN c.result_code = 'accepted' THEN w.due_at ELSE next_attempt_at(w.created_at, _now) END,
      attempts = w.attempts + 1, result_code = c.result_code, http_status = c.http_status,
      result_detail = c.result_detail, result_at = _now,
      wallet_reference = coalesce(c.reference, w.wallet_reference)
    FROM unnest(_transaction_id, _result_code, _http_status, _result_detail, _reference) WITH ORDINALITY
      AS c (transaction_id, result_code, http_status, result_detail, reference, ordinal)
    -- decision 005: a search by state would look the batch up in the index of all that is pending.
    WHERE w.transaction_id = c.transaction_id AND w.settled_at IS NULL
    RETURNING c.ordinal
  )
  SELECT s.ordinal FROM settled s;
END
$$;

SELECT pin_plans('settle_closings');
