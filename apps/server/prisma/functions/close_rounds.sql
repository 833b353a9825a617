-- Completes the open round of the session's account and game. House wallet: credits the payout.
-- Seamless wallet: stores the credit that is sent to the operator next, or finds the stored one,
-- and returns all that the request needs; the round stays open until the operator accepts it.
-- Outcomes: maintenance, session_invalid, login_expired, location_forbidden, round_settling (the
-- debit has no result yet), owed (credit_id is to be sent), balance_overflow (the balance would
-- leave the range of money; the round stays open), closed, nothing_open (the last round is
-- complete; nothing is paid), never_played.
CREATE FUNCTION close_rounds(_player_id bigint[], _session_row_id bigint[])
RETURNS TABLE (ordinal bigint, outcome text, round_id bigint, balance_micros bigint, payout_micros bigint, credit_id uuid, debit_id uuid)
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
    SELECT * FROM unnest(_session_row_id) WITH ORDINALITY AS c (session_id, ordinal)
  ), judged AS MATERIALIZED (
    SELECT c.ordinal, c.session_id, g.account_id, g.account_ctid, g.balance_micros, g.active_session_id, g.active_at, g.wallet_timeout_ms,
      r.id AS round_id, r.game_version_id, r.mode, r.debit_micros AS debit, g.operator_id, g.currency,
      r.payout_micros AS payout, r.wallet_state, house.id AS house_account_id,
      CASE
        WHEN g.refusal IS NOT NULL THEN g.refusal
        WHEN r.wallet_state = 'debit_pending' THEN 'round_settling'
        WHEN r.wallet_state IS NOT NULL THEN 'owed'
        WHEN r.id IS NOT NULL AND g.balance_micros > 9007199254740991 - r.payout_micros THEN 'balance_overflow'
        WHEN r.id IS NOT NULL THEN 'closed'
        WHEN last_opened_at(g.account_id, g.game_id) IS NOT NULL THEN 'nothing_open'
        ELSE 'never_played'
      END AS outcome
    FROM command c
    JOIN session_refusals g ON g.session_id = c.session_id
    LEFT JOIN LATERAL (
      SELECT o.id, o.game_version_id, o.mode, o.debit_micros, o.payout_micros, o.wallet_state FROM rounds o
      WHERE o.account_id = g.account_id AND o.game_id = g.game_id AND o.closed_at IS NULL LIMIT 1
    ) r ON true
    LEFT JOIN accounts house ON house.operator_id = g.operator_id AND house.kind = 'house' AND house.currency = g.currency
  ), stored AS (
    INSERT INTO wallet_transactions (transaction_id, kind, round_id, amount_micros, due_at, retry_until, created_at)
    SELECT wallet_transaction_id(), 'credit', j.round_id, j.payout, _now + attempt_lease(j.wallet_timeout_ms),
      _now + retry_period(), _now
    FROM judged j WHERE j.outcome = 'owed' AND j.wallet_state = 'debited'
    RETURNING transaction_id, round_id
  ), closed AS (
    UPDATE rounds r SET closed_at = CASE WHEN j.outcome = 'closed' THEN _now END,
      wallet_state = CASE WHEN j.outcome = 'owed' THEN 'credit_pending'::wallet_state END
    FROM judged j
    WHERE (j.outcome = 'closed' OR (j.outcome = 'owed' AND j.wallet_state = 'debited')) AND r.id = j.round_id
  ), moved AS (
    INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
    SELECT 'payout', j.house_account_id, j.account_id, j.payout, j.round_id, _now
    FROM judged j
    WHERE j.outcome = 'closed' AND j.payout > 0
  ), totalled AS (
    INSERT INTO completed_rounds (operator_id, game_version_id, day, bet_micros, payout_micros, mode, currency)
    SELECT j.operator_id, j.game_version_id, _today, j.debit, j.payout, j.mode, j.currency
    FROM judged j WHERE j.outcome = 'closed'
  ), credited AS (
    UPDATE accounts a SET balance_micros = a.balance_micros + CASE WHEN j.outcome = 'closed' THEN j.payout ELSE 0 END,
      counted_on = _today,
      wagered_today_micros = CASE WHEN a.counted_on = _today THEN a.wagered_today_micros ELSE 0 END,
      won_today_micros = CASE WHEN a.counted_on = _today THEN a.won_today_micros ELSE 0 END
        + CASE WHEN j.outcome = 'closed' THEN j.payout ELSE 0 END,
      active_session_id = CASE
        WHEN j.active_session_id <> j.session_id THEN change_session(j.active_session_id, j.active_at, j.session_id)
        ELSE j.session_id
      END,
      active_at = _now
    FROM judged j WHERE j.outcome IN ('closed', 'owed', 'nothing_open') AND a.ctid = j.account_ctid
    RETURNING (
      SELECT record_large_day('large_daily_win', a.id, _today, a.won_today_micros) FROM operator_limits l
      WHERE l.operator_id = a.operator_id AND l.currency = a.currency AND a.won_today_micros >= l.large_daily_win_micros
        AND a.won_today_micros - CASE WHEN j.outcome = 'closed' THEN j.payout ELSE 0 END < l.large_daily_win_micros
    )
  )
  SELECT j.ordinal, j.outcome, j.round_id,
    CASE WHEN j.outcome = 'closed' THEN j.balance_micros + j.payout ELSE j.balance_micros END,
    j.payout,
    CASE WHEN j.outcome = 'owed' THEN coalesce(
      (SELECT s.transaction_id FROM stored s WHERE s.round_id = j.round_id),
      (SELECT w.transaction_id FROM wallet_transactions w WHERE w.round_id = j.round_id AND w.kind = 'credit')
    ) END,
    CASE WHEN j.outcome = 'owed' THEN
      (SELECT w.transaction_id FROM wallet_transactions w WHERE w.round_id = j.round_id AND w.kind = 'debit')
    END
  FROM judged j;
END
$$;

SELECT pin_plans('close_rounds');
