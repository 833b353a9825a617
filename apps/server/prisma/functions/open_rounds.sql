-- Opens rounds, one for each command. House wallet: debits the bet. Seamless wallet (an account
-- without a balance): stores the debit that is sent to the operator next, and returns its id.
-- Outcomes, in the order in which they are checked: maintenance, session_invalid, login_expired,
-- location_forbidden, key_reused, round_settling (the debit of an earlier round has no result yet),
-- round_voided (the operator voided the round of this key), replayed (round_id is the round of this
-- key), bet_refused, stake_limit, round_active, too_early, bet_limit, wager_limit, loss_limit,
-- balance_too_low, wallet_down, opened. The caller finds bet_refused and wallet_down.
-- The caller sends a batch again (_again) when its connection was lost, and gives both runs one
-- _batch_id. What the first run has committed is opened_before, or wallet_uncertain when recovery
-- has made the round void meanwhile. It is among the newest rounds of its account and game.
-- A refusal is an outcome and no exception, so it cannot undo the round of another player.
-- A batch holds at most one command of a player; the caller ensures it.
-- The columns of a command are read from their arrays, by its ordinal, where they are needed:
-- carried through every join they were the widest part of each row.
CREATE FUNCTION open_rounds(
  _player_id bigint[], _session_row_id bigint[], _mode text[], _cost_multiplier numeric[], _amount bigint[], _debit bigint[],
  _book_id bigint[], _payout_multiplier bigint[], _payout bigint[], _auto_close boolean[],
  _minimum_round_duration_ms bigint[], _play_key text[], _bet_refused boolean[], _wallet_down boolean[],
  _batch_id bigint DEFAULT NULL, _again boolean DEFAULT false
) RETURNS TABLE (ordinal bigint, outcome text, round_id bigint, balance_micros bigint, debit_id uuid)
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
    FOR ordinal, outcome, round_id, balance_micros, debit_id IN
      SELECT c.ordinal, CASE WHEN before.wallet_state = 'void' THEN 'wallet_uncertain' ELSE 'opened_before' END,
        before.id, g.balance_micros,
        (SELECT w.transaction_id FROM wallet_transactions w WHERE w.round_id = before.id AND w.kind = 'debit' AND w.settled_at IS NULL)
      FROM unnest(_session_row_id) WITH ORDINALITY AS c (session_id, ordinal)
      JOIN session_refusals g ON g.session_id = c.session_id
      CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT r.id, r.wallet_state, r.batch_id FROM rounds r
          WHERE (r.account_id, r.game_id, r.id) > (g.account_id, g.game_id, 0)
            AND (r.account_id, r.game_id, r.id) <= (g.account_id, g.game_id, 9223372036854775807)
          ORDER BY r.account_id DESC, r.game_id DESC, r.id DESC LIMIT 1000
        ) newest WHERE newest.batch_id = _batch_id
      ) before
    LOOP
      RETURN NEXT;
      -- A command without a session is left out below.
      _session_row_id[ordinal] := NULL;
    END LOOP;
  END IF;
  RETURN QUERY
  WITH judged AS MATERIALIZED (
    SELECT c.ordinal, c.session_id, g.player_id, g.account_id, g.account_ctid, g.game_id, g.game_version_id, g.balance_micros,
      g.active_session_id, g.active_at, g.operator_id, g.currency, g.country,
      house.id AS house_account_id, own.large_win_micros, t.wagered_today, t.won_today, checked.outcome,
      -- From this debit on the bet, or the sum of the day, is large.
      least(own.large_bet_micros, CASE WHEN t.wagered_today < own.large_daily_wager_micros
        THEN own.large_daily_wager_micros - t.wagered_today END) AS large_debit,
      CASE WHEN checked.outcome = 'opened' THEN nextval('rounds_id_seq') ELSE earlier.id END AS round_id,
      CASE WHEN checked.outcome = 'opened' AND g.balance_micros IS NULL THEN wallet_transaction_id() END AS debit_id
    FROM unnest(_session_row_id) WITH ORDINALITY AS c (session_id, ordinal)
    JOIN session_refusals g ON g.session_id = c.session_id
    -- LEFT, so that a missing house account fails the transfer, and with it the whole batch.
    LEFT JOIN accounts house ON house.operator_id = g.operator_id AND house.kind = 'house' AND house.currency = g.currency
    LEFT JOIN operator_limits own ON own.operator_id = g.operator_id AND own.currency = g.currency
    CROSS JOIN LATERAL (
      SELECT CASE WHEN g.counted_on = _today THEN g.wagered_today_micros ELSE 0 END AS wagered_today,
             CASE WHEN g.counted_on = _today THEN g.won_today_micros ELSE 0 END AS won_today
    ) t
    LEFT JOIN LATERAL (
      SELECT r.id, r.amount_micros, r.mode, r.wallet_state FROM rounds r
      WHERE r.session_id = c.session_id AND r.play_key = _play_key[c.ordinal] LIMIT 1
    ) earlier ON true
    LEFT JOIN LATERAL (
      SELECT r.id, r.wallet_state FROM rounds r
      WHERE r.account_id = g.account_id AND r.game_id = g.game_id AND r.closed_at IS NULL LIMIT 1
    ) active ON true
    -- OFFSET keeps it one expression: without it the planner copies it to each use of the outcome.
    CROSS JOIN LATERAL (
      SELECT CASE
        WHEN earlier.id IS NULL AND (g.withdrawn_at <= _now OR (g.is_any_maintenance
          AND (g.maintenance = 'no_new_rounds' OR is_mode_closed(g.game_version_id, _mode[c.ordinal])))) THEN 'maintenance'
        WHEN g.refusal IS NOT NULL THEN g.refusal
        WHEN earlier.id IS NOT NULL AND (earlier.amount_micros, earlier.mode) IS DISTINCT FROM (_amount[c.ordinal], _mode[c.ordinal])
          THEN 'key_reused'
        WHEN earlier.wallet_state = 'debit_pending' THEN 'round_settling'
        WHEN earlier.wallet_state = 'void' THEN 'round_voided'
        WHEN earlier.id IS NOT NULL THEN 'replayed'
        WHEN _bet_refused[c.ordinal] THEN 'bet_refused'
        WHEN _debit[c.ordinal] > g.max_stake_micros THEN 'stake_limit'
        WHEN active.id IS NOT NULL THEN CASE WHEN active.wallet_state = 'debit_pending' THEN 'round_settling' ELSE 'round_active' END
        WHEN _minimum_round_duration_ms[c.ordinal] > 0 AND last_opened_at(g.account_id, g.game_id)
          + _minimum_round_duration_ms[c.ordinal] * interval '1 millisecond' > _now THEN 'too_early'
        WHEN _debit[c.ordinal] > own.max_bet_micros THEN 'bet_limit'
        WHEN t.wagered_today + _debit[c.ordinal] > least(g.daily_wager_limit_micros, own.daily_wager_limit_micros) THEN 'wager_limit'
        WHEN t.wagered_today - t.won_today + _debit[c.ordinal] > least(g.daily_loss_limit_micros, own.daily_loss_limit_micros) THEN 'loss_limit'
        WHEN g.balance_micros < _debit[c.ordinal] THEN 'balance_too_low'
        WHEN _wallet_down[c.ordinal] AND g.balance_micros IS NULL THEN 'wallet_down'
        ELSE 'opened'
      END AS outcome
      OFFSET 0
    ) checked
  ), opened AS (
    INSERT INTO rounds (id, player_id, game_id, game_version_id, session_id, account_id, mode, cost_multiplier, amount_micros,
      debit_micros, book_id, payout_multiplier, payout_micros, play_key, opened_at, closed_at, wallet_state, batch_id, country,
      balance_before_micros)
    SELECT j.round_id, j.player_id, j.game_id, j.game_version_id, j.session_id, j.account_id, _mode[j.ordinal],
      _cost_multiplier[j.ordinal], _amount[j.ordinal], _debit[j.ordinal], _book_id[j.ordinal], _payout_multiplier[j.ordinal],
      _payout[j.ordinal], _play_key[j.ordinal], _now,
      CASE WHEN _auto_close[j.ordinal] AND _payout[j.ordinal] = 0 AND j.debit_id IS NULL THEN _now END,
      CASE WHEN j.debit_id IS NOT NULL THEN 'debit_pending'::wallet_state END, _batch_id, j.country,
      j.balance_micros
    FROM judged j WHERE j.outcome = 'opened'
  ), moved AS (
    INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
    SELECT 'bet', j.account_id, j.house_account_id, _debit[j.ordinal], j.round_id, _now
    FROM judged j WHERE j.outcome = 'opened' AND j.debit_id IS NULL
  ), stored AS (
    INSERT INTO wallet_transactions (transaction_id, kind, round_id, amount_micros, due_at, retry_until, created_at)
    SELECT j.debit_id, 'debit', j.round_id, _debit[j.ordinal], _now + debit_lease(), _now + retry_period(), _now
    FROM judged j WHERE j.debit_id IS NOT NULL
  ), totalled AS (
    INSERT INTO completed_rounds (operator_id, game_version_id, day, bet_micros, mode, currency)
    SELECT j.operator_id, j.game_version_id, _today, _debit[j.ordinal], _mode[j.ordinal], j.currency
    FROM judged j WHERE j.outcome = 'opened' AND j.debit_id IS NULL AND _auto_close[j.ordinal] AND _payout[j.ordinal] = 0
  ), debited AS (
    UPDATE accounts a SET balance_micros = j.balance_micros - CASE WHEN j.outcome = 'opened' THEN _debit[j.ordinal] ELSE 0 END,
      counted_on = _today, won_today_micros = j.won_today,
      wagered_today_micros = j.wagered_today + CASE WHEN j.outcome = 'opened' THEN _debit[j.ordinal] ELSE 0 END,
      active_session_id = CASE
        WHEN j.active_session_id <> j.session_id THEN change_session(j.active_session_id, j.active_at, j.session_id)
        ELSE j.session_id
      END,
      active_at = _now
    FROM judged j WHERE j.outcome IN ('opened', 'replayed') AND a.ctid = j.account_ctid
  )
  SELECT j.ordinal,
    CASE WHEN j.outcome = 'opened' AND (_debit[j.ordinal] >= j.large_debit OR _payout[j.ordinal] >= j.large_win_micros)
      THEN record_large_amounts(j.round_id, j.account_id, _debit[j.ordinal], _payout[j.ordinal], _today, j.wagered_today)
      ELSE j.outcome END,
    j.round_id,
    CASE WHEN j.outcome = 'opened' THEN j.balance_micros - _debit[j.ordinal] ELSE j.balance_micros END, j.debit_id
  FROM judged j;
END
$$;

SELECT pin_plans('open_rounds');
