-- Stores the results of wallet transactions, and changes the rounds accordingly. The first result
-- counts: a transaction that has one is not settled again. accept_debits settles accepted debits,
-- settle_closings the first attempts of closings.
--
-- result    | of                         | what follows
-- ----------|----------------------------|-------------------------------------------------------
-- refused   | debit                      | nothing moved: the round is void
-- uncertain | debit                      | the round is void, and a rollback is stored
-- accepted  | credit                     | the round is completed
-- accepted  | rollback, winnings         | done
-- failed    | credit, rollback, winnings | retried after a pause, or parked when its time is over
-- final     | credit, rollback, winnings | parked at once: no other attempt can succeed
--
-- Its steps: settled stores the results, added the rollback of an uncertain debit, round changes
-- the rounds, counted the sums of the day.
--
-- _rollback_id is the id of the rollback of an uncertain debit; NULL: a new one.
-- _reported_balance is the balance after it in the operator's response, and _reference the wallet's
-- own id of it; NULL without one.
-- A person settles without a result: that of the last attempt stays, and the note says why.
-- A transaction that another caller settled before gets no row. Neither does one with a result of
-- another kind, nor one that a person settles and that is not parked: it is retried again, and may
-- be paid at any moment.
-- decision 018: the caller sends a batch again (_again) when its connection was lost. Then what the
-- first run has settled has a row as well.
CREATE FUNCTION settle_wallet_transactions(
  _player_id bigint[], _transaction_id uuid[], _result text[], _settled_by text[], _result_code text[],
  _http_status integer[], _result_detail text[], _settlement_note text[], _reported_balance bigint[],
  _rollback_id uuid[], _reference text[], _again boolean DEFAULT false
) RETURNS TABLE (ordinal bigint)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
  _now timestamptz;
  _today date;
BEGIN
  _now := lock_players(_player_id);
  _today := (_now AT TIME ZONE 'UTC')::date;
  IF _again THEN
    RETURN QUERY
    SELECT c.ordinal
    FROM unnest(_transaction_id, _result, _settled_by) WITH ORDINALITY
      AS c (transaction_id, result, settled_by, ordinal)
    JOIN wallet_transactions w
      ON w.transaction_id = c.transaction_id AND w.settled_by = c.settled_by::wallet_settler
      AND w.state::text = CASE c.result WHEN 'uncertain' THEN 'abandoned' ELSE c.result END;
  END IF;
  RETURN QUERY
  WITH settled AS (
    UPDATE wallet_transactions w
    SET state = CASE
        WHEN c.result = 'accepted' THEN 'accepted'
        WHEN c.result = 'refused' THEN 'refused'
        WHEN c.result = 'uncertain' THEN 'abandoned'
        WHEN c.result = 'final' OR _now >= w.retry_until THEN 'parked'
        ELSE 'pending'
      END::wallet_transaction_state,
      settled_at = CASE WHEN c.result NOT IN ('failed', 'final') THEN _now END,
      settled_by = CASE WHEN c.result NOT IN ('failed', 'final') THEN c.settled_by::wallet_settler END,
      settlement_note = c.settlement_note,
      due_at = CASE WHEN c.result = 'failed' THEN next_attempt_at(w.created_at, _now) ELSE w.due_at END,
      -- A person who settles sends nothing.
      attempts = w.attempts + (c.settled_by IS DISTINCT FROM 'person')::integer,
      result_code = coalesce(c.result_code, w.result_code),
      http_status = CASE WHEN c.result_code IS NULL THEN w.http_status ELSE c.http_status END,
      result_detail = CASE WHEN c.result_code IS NULL THEN w.result_detail ELSE c.result_detail END,
      result_at = CASE WHEN c.result_code IS NULL THEN w.result_at ELSE _now END,
      reported_balance_micros = c.reported_balance,
      wallet_reference = coalesce(c.reference, w.wallet_reference)
    FROM unnest(
      _transaction_id, _result, _settled_by, _result_code, _http_status,
      _result_detail, _settlement_note, _reported_balance, _rollback_id, _reference
    ) WITH ORDINALITY AS c (
      transaction_id, result, settled_by, result_code, http_status,
      result_detail, settlement_note, reported_balance, rollback_id, reference, ordinal
    )
    -- A parked one can be settled too: by a person, or by the attempt of a repeated end-round.
    WHERE w.transaction_id = c.transaction_id AND w.settled_at IS NULL
      AND (w.state = 'parked' OR c.settled_by IS DISTINCT FROM 'person')
      AND (w.kind = 'debit') = (c.result IN ('refused', 'uncertain'))
    RETURNING c.ordinal, c.result, c.rollback_id, w.kind, w.round_id, w.amount_micros
  ), added AS (
    -- Recovery sends every rollback.
    INSERT INTO wallet_transactions (
      transaction_id, kind, round_id, amount_micros, reason, due_at, retry_until, created_at
    )
    SELECT coalesce(s.rollback_id, wallet_transaction_id()), 'rollback', s.round_id, s.amount_micros,
      'the result of the debit is uncertain', _now, _now + retry_period(), _now
    FROM settled s
    WHERE s.kind = 'debit' AND s.result = 'uncertain'
  ), round AS (
    -- A refused or uncertain debit makes its round void; an accepted credit completes its round.
    UPDATE rounds r
    SET wallet_state = CASE WHEN s.kind = 'debit' THEN 'void' ELSE 'credited' END::wallet_state,
      -- The key of a void round whose debit was not accepted is free: the player may try the same
      -- play again. void_round keeps the key of a round that was played.
      play_key = CASE WHEN s.kind = 'debit' THEN NULL ELSE r.play_key END,
      ended_at = coalesce(r.ended_at, _now)
    FROM settled s
    WHERE (s.kind = 'debit' OR (s.kind = 'credit' AND s.result = 'accepted')) AND r.id = s.round_id
    -- is_counted: this call makes the round void or completes it. A round of auto-close was
    -- completed before its closing is accepted here, and accept_debits has totalled it. No total
    -- counts a refused bet.
    RETURNING s.kind, r.id, r.account_id, r.ended_at = _now AND s.result <> 'refused' AS is_counted,
      CASE
        WHEN s.kind = 'debit' AND (r.opened_at AT TIME ZONE 'UTC')::date = _today THEN s.amount_micros
        ELSE 0
      END AS unwagered,
      CASE WHEN s.kind = 'credit' AND r.grant_id IS NULL THEN s.amount_micros ELSE 0 END AS won
  ), counted AS (
    -- The sums of the day: a bet of today that was not taken is subtracted, a payout is added. Free
    -- rounds do not count.
    UPDATE accounts a
    SET counted_on = _today,
      wagered_today_micros = of_today(a.counted_on, _today, a.wagered_today_micros) - r.unwagered,
      won_today_micros = of_today(a.counted_on, _today, a.won_today_micros) + r.won
    FROM round r
    WHERE a.id = r.account_id AND (r.kind = 'debit' OR r.won > 0)
    RETURNING (
      SELECT record_large_day('large_daily_win', a.id, _today, a.won_today_micros)
      FROM operator_limits l
      WHERE l.operator_id = a.operator_id AND l.currency = a.currency
        AND a.won_today_micros >= l.large_daily_win_micros
        AND a.won_today_micros - r.won < l.large_daily_win_micros
    )
  )
  SELECT s.ordinal
  FROM settled s
  CROSS JOIN total_rounds(ARRAY(SELECT id FROM round WHERE is_counted), _now);
END
$$;

SELECT pin_plans('settle_wallet_transactions');
