-- Stores the results of calls to operators' wallets, and changes the rounds accordingly. Verdicts:
--   debit     accepted: the round is debited. With auto_close a round that pays nothing is closed, and
--             the credit of nothing that tells the operator so is stored. refused: nothing moved, the
--             round is void. uncertain: the round is void, and a rollback is stored.
--   credit    accepted: the round is closed. failed: retried after a pause, or parked when its time is over.
--   rollback  accepted: done. failed: as for a credit.
-- Outcomes: settled; late: another caller settled it before, and nothing changes. next_id is the call
-- that was stored, if any.
CREATE FUNCTION settle_wallet_calls(
  _player_id bigint[], _call_id uuid[], _verdict text[], _answer text[], _auto_close boolean[]
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
  WITH verdict AS MATERIALIZED (
    SELECT * FROM unnest(_call_id, _verdict, _answer, _auto_close) WITH ORDINALITY AS v (call_id, verdict, answer, auto_close, ordinal)
  ), call AS MATERIALIZED (
    -- A parked call can be settled too: a person, or the player who ends the round again, retries it.
    SELECT v.*, w.kind, w.round_id, w.attempts + 1 AS attempts, w.retry_until, w.amount_micros,
      r.account_id, r.debit_micros, r.opened_at, v.auto_close AND r.payout_micros = 0 AS closes, o.wallet_timeout_ms,
      CASE WHEN w.state IN ('pending', 'parked') THEN 'settled' ELSE 'late' END AS outcome
    FROM verdict v
    JOIN wallet_calls w ON w.id = v.call_id
    JOIN rounds r ON r.id = w.round_id
    JOIN accounts a ON a.id = r.account_id
    JOIN operators o ON o.id = a.operator_id
  ), written AS (
    UPDATE wallet_calls w SET
      state = CASE
        WHEN c.verdict = 'accepted' THEN 'accepted'
        WHEN c.verdict = 'refused' THEN 'refused'
        WHEN c.verdict = 'uncertain' THEN 'abandoned'
        WHEN _now >= c.retry_until THEN 'parked'
        ELSE 'pending'
      END::wallet_call_state,
      settled_at = CASE WHEN c.verdict <> 'failed' THEN _now END,
      due_at = CASE WHEN c.verdict = 'failed' THEN wallet_call_next_due(w.created_at, _now) ELSE w.due_at END,
      attempts = c.attempts, answer = c.answer, answered_at = _now
    FROM call c WHERE c.outcome = 'settled' AND w.id = c.call_id
  ), asked AS (
    INSERT INTO wallet_calls (kind, round_id, amount_micros, reason, due_at, retry_until, created_at)
    SELECT CASE WHEN c.verdict = 'accepted' THEN 'credit' ELSE 'rollback' END::wallet_call_kind, c.round_id,
      CASE WHEN c.verdict = 'accepted' THEN 0 ELSE c.amount_micros END,
      CASE WHEN c.verdict = 'uncertain' THEN 'the answer to the debit was not certain' END,
      -- The node that stores a credit sends it at once; recovery sends every rollback.
      CASE WHEN c.verdict = 'accepted' THEN _now + c.wallet_timeout_ms * interval '1 millisecond' + wallet_call_grace() ELSE _now END,
      _now + wallet_call_patience(), _now
    FROM call c
    WHERE c.outcome = 'settled' AND c.kind = 'debit' AND (c.verdict = 'uncertain' OR (c.verdict = 'accepted' AND c.closes))
    RETURNING id, round_id
  ), round AS (
    UPDATE rounds r SET
      wallet_state = CASE
        WHEN c.kind = 'debit' AND c.verdict <> 'accepted' THEN 'void'
        WHEN c.kind = 'debit' AND c.closes THEN 'credit_pending'
        WHEN c.kind = 'debit' THEN 'debited'
        ELSE 'credited'
      END::wallet_state,
      -- A void round frees its key: the player may try the same play again.
      play_key = CASE WHEN c.kind = 'debit' AND c.verdict <> 'accepted' THEN NULL ELSE r.play_key END,
      closed_at = CASE WHEN c.kind = 'debit' AND c.verdict = 'accepted' AND NOT c.closes THEN NULL ELSE coalesce(r.closed_at, _now) END
    FROM call c
    WHERE c.outcome = 'settled' AND (c.kind = 'debit' OR (c.kind = 'credit' AND c.verdict = 'accepted')) AND r.id = c.round_id
  ), counted AS (
    UPDATE accounts a SET counted_on = _today,
      wagered_today_micros = CASE WHEN a.counted_on = _today THEN a.wagered_today_micros ELSE 0 END
        - CASE WHEN c.kind = 'debit' AND (c.opened_at AT TIME ZONE 'UTC')::date = _today THEN c.debit_micros ELSE 0 END,
      won_today_micros = CASE WHEN a.counted_on = _today THEN a.won_today_micros ELSE 0 END
        + CASE WHEN c.kind = 'credit' THEN c.amount_micros ELSE 0 END
    FROM call c
    WHERE c.outcome = 'settled' AND a.id = c.account_id
      AND ((c.kind = 'debit' AND c.verdict <> 'accepted') OR (c.kind = 'credit' AND c.verdict = 'accepted'))
  )
  SELECT c.ordinal, c.outcome, (SELECT k.id FROM asked k WHERE k.round_id = c.round_id) FROM call c;
END
$$;

SELECT pin_plans('settle_wallet_calls');
