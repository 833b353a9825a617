-- Ends open rounds, each of another account, and returns how many accounts it has changed. Every
-- payout of a round passes here, once: of end_rounds (the player), complete_rounds (the server),
-- complete_round (staff) and open_free_rounds (a lost round, which pays 0). finish_grant pays the
-- winnings of a grant.
--
-- House wallet (no _credit_id): the house pays the payout, and the round is completed.
-- Seamless wallet: it stores the credit, due at _due_at; the round stays open until the operator
-- accepts the credit.
--
-- Its steps: finished ends the round, moved pays it or stored stores its credit, totalled counts
-- it, changed adds the payout to the account.
--
-- It does not check that a round is open: the caller holds the lock of the account (lock_players,
-- or that of complete_rounds) and has read the round as open under it. If a caller breaks this, the
-- second payout or credit violates an index and the whole call is undone:
-- transfers_round_id_kind_key, or wallet_transactions_round_id_kind_key.
--
-- _account_ctid says where the account is (decision 017).
-- _payout is what the house pays now: 0 when a credit is stored, and 0 for a command without a
-- round, which only keeps its session active. _won is the part of it that counts for the day: 0 for
-- a free round.
-- When the server ends rounds that players have left, _session_id is NULL and _auto_completed_at is
-- given.
CREATE FUNCTION finish_rounds(
  _account_ctid tid[], _round_id bigint[], _house_account_id bigint[], _payout bigint[], _won bigint[],
  _credit_id uuid[], _due_at timestamptz[], _session_id bigint[],
  _now timestamptz, _auto_completed_at timestamptz DEFAULT NULL
) RETURNS bigint
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _today date := (_now AT TIME ZONE 'UTC')::date;
  _changed bigint;
BEGIN
  WITH finished AS (
    UPDATE rounds r
    SET ended_at = CASE WHEN _credit_id[c.ordinal] IS NULL THEN _now END,
      wallet_state = CASE WHEN _credit_id[c.ordinal] IS NOT NULL THEN 'credit_pending'::wallet_state END,
      auto_completed_at = _auto_completed_at
    FROM unnest(_round_id) WITH ORDINALITY AS c (round_id, ordinal)
    WHERE r.id = c.round_id
    RETURNING c.ordinal, r.id, r.account_id, r.game_version_id, r.mode, r.debit_micros, r.payout_micros, r.grant_id,
      coalesce(r.credit_micros, r.payout_micros) AS owed, _credit_id[c.ordinal] AS credit_id
  ), moved AS (
    -- House wallet: the payout moves to the player, once for a round (transfers_round_id_kind_key).
    INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
    SELECT 'payout', _house_account_id[f.ordinal], f.account_id, f.owed, f.id, _now
    FROM finished f
    WHERE f.credit_id IS NULL AND f.owed > 0
  ), stored AS (
    -- Seamless wallet: a node sends this credit. A round has one
    -- (wallet_transactions_round_id_kind_key).
    INSERT INTO wallet_transactions (transaction_id, kind, round_id, amount_micros, due_at, retry_until, created_at)
    SELECT f.credit_id, 'credit', f.id, f.owed, _due_at[f.ordinal], _now + retry_period(), _now
    FROM finished f
    WHERE f.credit_id IS NOT NULL
  ), totalled AS (
    INSERT INTO completed_rounds (operator_id, game_version_id, day, is_free,
      bet_micros, payout_micros, mode, currency)
    SELECT a.operator_id, f.game_version_id, _today, f.grant_id IS NOT NULL,
      f.debit_micros, f.payout_micros, f.mode, a.currency
    FROM finished f
    JOIN accounts a ON a.ctid = _account_ctid[f.ordinal]
    WHERE f.credit_id IS NULL
  ), changed AS (
    UPDATE accounts a
    SET balance_micros = a.balance_micros + _payout[c.ordinal],
      counted_on = _today,
      wagered_today_micros = of_today(a.counted_on, _today, a.wagered_today_micros),
      won_today_micros = of_today(a.counted_on, _today, a.won_today_micros) + _won[c.ordinal],
      active_session_id = CASE
        WHEN c.session_id IS NULL THEN a.active_session_id
        ELSE active_session(a.active_session_id, a.active_at, c.session_id)
      END,
      active_at = CASE WHEN c.session_id IS NULL THEN a.active_at ELSE _now END
    FROM unnest(_session_id) WITH ORDINALITY AS c (session_id, ordinal)
    WHERE a.ctid = _account_ctid[c.ordinal]
    RETURNING (
      SELECT record_large_day('large_daily_win', a.id, _today, a.won_today_micros)
      FROM operator_limits l
      WHERE l.operator_id = a.operator_id AND l.currency = a.currency
        AND a.won_today_micros >= l.large_daily_win_micros
        AND a.won_today_micros - _won[c.ordinal] < l.large_daily_win_micros
    )
  )
  SELECT count(*) INTO _changed FROM changed;
  RETURN _changed;
END
$$;
