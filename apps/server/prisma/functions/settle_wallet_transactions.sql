-- Stores the results of wallet transactions, and changes the rounds accordingly. Results:
--   debit     accepted: the round is debited. With auto_close a round that pays nothing is closed,
--             and the credit of 0 that tells the operator so is stored. refused: nothing moved,
--             the round is void. uncertain: the round is void, and a rollback is stored.
--   credit    accepted: the round is closed. failed: retried after a pause, or parked when its
--             time is over.
--   rollback  accepted: done. failed: as for a credit.
-- A person settles without a result: that of the last attempt stays, and the note says why.
-- Outcomes: settled; late: another caller settled it before, and nothing changes. next_id is the
-- wallet transaction that was stored, if any.
CREATE FUNCTION settle_wallet_transactions(
  _player_id bigint[], _transaction_id uuid[], _result text[], _settled_by text[], _result_code text[], _http_status integer[],
  _result_detail text[], _settlement_note text[], _auto_close boolean[]
) RETURNS TABLE (ordinal bigint, outcome text, next_id uuid)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
  _now timestamptz;
  _today date;
BEGIN
  _now := lock_players(_player_id);
  _today := (_now AT TIME ZONE 'UTC')::date;
  RETURN QUERY
  WITH command AS MATERIALIZED (
    SELECT * FROM unnest(_transaction_id, _result, _auto_close) WITH ORDINALITY AS c (transaction_id, result, auto_close, ordinal)
  ), transaction AS MATERIALIZED (
    -- A parked one can be settled too: a person, or a repeated end-round, retries it.
    SELECT c.*, w.kind, w.round_id, w.retry_until, w.amount_micros, w.account_id, w.debit_micros, w.opened_at,
      c.auto_close AND w.payout_micros = 0 AS closes, w.wallet_timeout_ms,
      CASE WHEN w.state IN ('pending', 'parked') THEN 'settled' ELSE 'late' END AS outcome
    FROM command c
    JOIN wallet_transaction_details w ON w.transaction_id = c.transaction_id
  ), updated AS (
    UPDATE wallet_transactions w SET
      state = CASE
        WHEN t.result = 'accepted' THEN 'accepted'
        WHEN t.result = 'refused' THEN 'refused'
        WHEN t.result = 'uncertain' THEN 'abandoned'
        WHEN _now >= t.retry_until THEN 'parked'
        ELSE 'pending'
      END::wallet_transaction_state,
      settled_at = CASE WHEN t.result <> 'failed' THEN _now END,
      settled_by = CASE WHEN t.result <> 'failed' THEN _settled_by[t.ordinal]::wallet_settler END,
      settlement_note = _settlement_note[t.ordinal],
      due_at = CASE WHEN t.result = 'failed' THEN next_attempt_at(w.created_at, _now) ELSE w.due_at END,
      attempts = w.attempts + 1,
      result_code = coalesce(_result_code[t.ordinal], w.result_code),
      http_status = CASE WHEN _result_code[t.ordinal] IS NULL THEN w.http_status ELSE _http_status[t.ordinal] END,
      result_detail = CASE WHEN _result_code[t.ordinal] IS NULL THEN w.result_detail ELSE _result_detail[t.ordinal] END,
      result_at = CASE WHEN _result_code[t.ordinal] IS NULL THEN w.result_at ELSE _now END
    FROM transaction t WHERE t.outcome = 'settled' AND w.transaction_id = t.transaction_id
  ), added AS (
    INSERT INTO wallet_transactions (kind, round_id, amount_micros, reason, due_at, retry_until, created_at)
    SELECT CASE WHEN t.result = 'accepted' THEN 'credit' ELSE 'rollback' END::wallet_transaction_kind, t.round_id,
      CASE WHEN t.result = 'accepted' THEN 0 ELSE t.amount_micros END,
      CASE WHEN t.result = 'uncertain' THEN 'the result of the debit is uncertain' END,
      -- The node that stores a credit sends it at once; recovery sends every rollback.
      CASE WHEN t.result = 'accepted' THEN _now + attempt_lease(t.wallet_timeout_ms) ELSE _now END,
      _now + retry_period(), _now
    FROM transaction t
    WHERE t.outcome = 'settled' AND t.kind = 'debit' AND (t.result = 'uncertain' OR (t.result = 'accepted' AND t.closes))
    RETURNING transaction_id, round_id
  ), round AS (
    UPDATE rounds r SET
      wallet_state = CASE
        WHEN t.kind = 'debit' AND t.result <> 'accepted' THEN 'void'
        WHEN t.kind = 'debit' AND t.closes THEN 'credit_pending'
        WHEN t.kind = 'debit' THEN 'debited'
        ELSE 'credited'
      END::wallet_state,
      -- A void round frees its key: the player may try the same play again.
      play_key = CASE WHEN t.kind = 'debit' AND t.result <> 'accepted' THEN NULL ELSE r.play_key END,
      closed_at = CASE WHEN t.kind = 'debit' AND t.result = 'accepted' AND NOT t.closes THEN NULL ELSE coalesce(r.closed_at, _now) END
    FROM transaction t
    WHERE t.outcome = 'settled' AND (t.kind = 'debit' OR (t.kind = 'credit' AND t.result = 'accepted')) AND r.id = t.round_id
  ), counted AS (
    UPDATE accounts a SET counted_on = _today,
      wagered_today_micros = CASE WHEN a.counted_on = _today THEN a.wagered_today_micros ELSE 0 END
        - CASE WHEN t.kind = 'debit' AND (t.opened_at AT TIME ZONE 'UTC')::date = _today THEN t.debit_micros ELSE 0 END,
      won_today_micros = CASE WHEN a.counted_on = _today THEN a.won_today_micros ELSE 0 END
        + CASE WHEN t.kind = 'credit' THEN t.amount_micros ELSE 0 END
    FROM transaction t
    WHERE t.outcome = 'settled' AND a.id = t.account_id
      AND ((t.kind = 'debit' AND t.result <> 'accepted') OR (t.kind = 'credit' AND t.result = 'accepted'))
  )
  SELECT t.ordinal, t.outcome, (SELECT n.transaction_id FROM added n WHERE n.round_id = t.round_id) FROM transaction t;
END
$$;

SELECT pin_plans('settle_wallet_transactions');
