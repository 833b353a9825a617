-- Completes rounds that their players have left: those of interrupted_rounds that are due, at most
-- _most, and one of each account. House wallet: credits the payout. Seamless wallet: stores the
-- credit, which recovery sends; the round stays open until the operator accepts it. An account that
-- another command holds is left for the next call: nobody waits, and of two calls at once each
-- completes other rounds. A payout that the balance cannot hold is left, too.
CREATE FUNCTION complete_rounds(_most integer) RETURNS TABLE (round_id bigint)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
  _accounts bigint[];
  _now timestamptz;
  _today date;
BEGIN
  -- The next statement sees what the transactions before this lock have committed.
  _accounts := ARRAY(
    SELECT a.id FROM accounts a
    WHERE a.id = ANY (ARRAY(
      SELECT i.account_id FROM interrupted_rounds i
      WHERE i.due_at <= now() AND (i.balance_micros > 9007199254740991 - i.payout_micros) IS NOT TRUE
      LIMIT _most
    ))
    ORDER BY a.id FOR NO KEY UPDATE SKIP LOCKED
  );
  _now := clock_timestamp();
  _today := (_now AT TIME ZONE 'UTC')::date;
  RETURN QUERY
  WITH due AS MATERIALIZED (
    SELECT DISTINCT ON (i.account_id) i.*, house.id AS house_account_id
    FROM interrupted_rounds i
    LEFT JOIN accounts house ON house.operator_id = i.operator_id AND house.kind = 'house' AND house.currency = i.currency
    WHERE i.account_id = ANY (_accounts) AND i.due_at <= _now
      AND (i.balance_micros > 9007199254740991 - i.payout_micros) IS NOT TRUE
    ORDER BY i.account_id, i.round_id
  ), stored AS (
    INSERT INTO wallet_transactions (transaction_id, kind, round_id, amount_micros, due_at, retry_until, created_at)
    SELECT wallet_transaction_id(), 'credit', d.round_id, d.payout_micros, _now, _now + retry_period(), _now
    FROM due d WHERE d.wallet_state IS NOT NULL
  ), completed AS (
    UPDATE rounds r SET closed_at = CASE WHEN d.wallet_state IS NULL THEN _now END,
      wallet_state = CASE WHEN d.wallet_state IS NOT NULL THEN 'credit_pending'::wallet_state END,
      auto_completed_at = _now
    FROM due d WHERE r.id = d.round_id
    RETURNING d.operator_id, d.currency, r.game_version_id, r.mode, r.debit_micros, r.payout_micros, r.closed_at
  ), totalled AS (
    INSERT INTO completed_rounds (operator_id, game_version_id, day, bet_micros, payout_micros, mode, currency)
    SELECT c.operator_id, c.game_version_id, _today, c.debit_micros, c.payout_micros, c.mode, c.currency
    FROM completed c WHERE c.closed_at IS NOT NULL
  ), moved AS (
    INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
    SELECT 'payout', d.house_account_id, d.account_id, d.payout_micros, d.round_id, _now
    FROM due d WHERE d.wallet_state IS NULL AND d.payout_micros > 0
  ), credited AS (
    UPDATE accounts a SET balance_micros = a.balance_micros + d.payout_micros, counted_on = _today,
      wagered_today_micros = CASE WHEN a.counted_on = _today THEN a.wagered_today_micros ELSE 0 END,
      won_today_micros = CASE WHEN a.counted_on = _today THEN a.won_today_micros ELSE 0 END + d.payout_micros
    FROM due d WHERE d.wallet_state IS NULL AND a.id = d.account_id
    RETURNING (
      SELECT record_large_day('large_daily_win', a.id, _today, a.won_today_micros) FROM operator_limits l
      WHERE l.operator_id = a.operator_id AND l.currency = a.currency AND a.won_today_micros >= l.large_daily_win_micros
        AND a.won_today_micros - d.payout_micros < l.large_daily_win_micros
    )
  )
  SELECT d.round_id FROM due d;
END
$$;

SELECT pin_plans('complete_rounds');
