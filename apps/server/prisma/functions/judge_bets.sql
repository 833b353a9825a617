-- Judges bets, and changes nothing. Outcomes, in the order in which they are checked. Before the
-- rules: maintenance (also while the player moves to another cell), session_invalid, login_expired,
-- location_forbidden, key_reused, round_settling (the debit of an earlier round has no result yet),
-- round_voided (the operator voided the round of this key), replayed (round_id is the round of this
-- key). With _automatic,
-- free_round: an automatic grant may pay the bet, which open_free_rounds finds out. The rules,
-- which leave out limits when there is no _debit: stake_limit (of the session), round_active,
-- too_early, bet_limit (of the operator), wager_limit, loss_limit, balance_too_low, wallet_down
-- (_wallet_down: the node found it), nonce_moved (the bet is drawn with another client seed or nonce
-- than the account has now). Else opened. outcome_before_rules is NULL when only the rules
-- judge. A debit of at least large_debit makes the bet, or the sum of the day, large. The function
-- is one query in SQL, so the planner puts the query in place of the call. It reads the columns of
-- a command from their arrays by its ordinal: in every join they were the widest part of each row.
CREATE FUNCTION judge_bets(
  _session_row_id bigint[], _mode text[], _amount bigint[], _debit bigint[], _minimum_round_duration_ms bigint[], _play_key text[],
  _wallet_down boolean[], _fair_client_seed_id bigint[], _fair_nonce bigint[], _now timestamptz, _today date, _automatic boolean
) RETURNS TABLE (
  ordinal bigint, outcome text, outcome_before_rules text, round_id bigint, session_id bigint, player_id bigint,
  account_id bigint, account_ctid tid, house_account_id bigint, operator_id integer, game_id integer, game_version_id integer, currency text, country text,
  balance_micros bigint, wagered_today bigint, won_today bigint, large_debit bigint, large_win bigint,
  active_session_id bigint, active_at timestamptz, fair_seed_id bigint
)
LANGUAGE sql STABLE
AS $$
  SELECT c.ordinal, judged.outcome, before_rules.outcome, earlier.id, c.session_id, g.player_id, g.account_id, g.account_ctid,
    g.house_account_id, g.operator_id, g.game_id, g.game_version_id, g.currency, g.country,
    g.balance_micros, t.wagered, t.won,
    least(own.large_bet_micros, CASE WHEN t.wagered < own.large_daily_wager_micros THEN own.large_daily_wager_micros - t.wagered END),
    own.large_win_micros,
    g.active_session_id, g.active_at, g.fair_seed_id
  FROM unnest(_session_row_id) WITH ORDINALITY AS c (session_id, ordinal)
  JOIN session_refusals g ON g.session_id = c.session_id
  CROSS JOIN LATERAL (SELECT withdrawn_at FROM game_versions WHERE id = g.game_version_id LIMIT 1) v
  LEFT JOIN operator_limits own ON own.operator_id = g.operator_id AND own.currency = g.currency
  CROSS JOIN LATERAL (
    SELECT of_today(g.counted_on, _today, g.wagered_today_micros) AS wagered,
      of_today(g.counted_on, _today, g.won_today_micros) AS won
  ) t
  LEFT JOIN LATERAL (
    SELECT r.id, r.amount_micros, r.mode, r.wallet_state FROM rounds r
    WHERE r.session_id = c.session_id AND r.play_key = _play_key[c.ordinal] LIMIT 1
  ) earlier ON true
  LEFT JOIN LATERAL (
    SELECT r.id, r.wallet_state FROM rounds r
    WHERE r.account_id = g.account_id AND r.game_id = g.game_id AND r.closed_at IS NULL LIMIT 1
  ) active ON true
  -- OFFSET keeps each CASE one expression: without it the planner copies it to each use.
  CROSS JOIN LATERAL (
    SELECT CASE
      WHEN earlier.id IS NULL AND (g.is_moving OR v.withdrawn_at <= _now OR (g.is_any_maintenance
        AND (g.maintenance = 'no_new_rounds' OR is_mode_closed(g.game_version_id, _mode[c.ordinal])))) THEN 'maintenance'
      WHEN g.refusal IS NOT NULL THEN g.refusal
      WHEN earlier.id IS NOT NULL AND (earlier.amount_micros, earlier.mode) IS DISTINCT FROM (_amount[c.ordinal], _mode[c.ordinal])
        THEN 'key_reused'
      WHEN earlier.wallet_state = 'debit_pending' THEN 'round_settling'
      WHEN earlier.wallet_state = 'void' THEN 'round_voided'
      WHEN earlier.id IS NOT NULL THEN 'replayed'
    END AS outcome
    OFFSET 0
  ) before_rules
  CROSS JOIN LATERAL (
    SELECT coalesce(before_rules.outcome, CASE
      WHEN _automatic AND g.has_automatic_grant THEN 'free_round'
      WHEN _debit[c.ordinal] > g.max_stake_micros THEN 'stake_limit'
      WHEN active.id IS NOT NULL THEN CASE WHEN active.wallet_state = 'debit_pending' THEN 'round_settling' ELSE 'round_active' END
      WHEN _minimum_round_duration_ms[c.ordinal] > 0 AND last_opened_at(g.account_id, g.game_id)
        + _minimum_round_duration_ms[c.ordinal] * interval '1 millisecond' > _now THEN 'too_early'
      WHEN _debit[c.ordinal] > own.max_bet_micros THEN 'bet_limit'
      WHEN t.wagered + _debit[c.ordinal] > least(g.daily_wager_limit_micros, own.daily_wager_limit_micros) THEN 'wager_limit'
      WHEN t.wagered - t.won + _debit[c.ordinal] > least(g.daily_loss_limit_micros, own.daily_loss_limit_micros) THEN 'loss_limit'
      WHEN g.balance_micros < _debit[c.ordinal] THEN 'balance_too_low'
      WHEN _wallet_down[c.ordinal] AND g.balance_micros IS NULL THEN 'wallet_down'
      WHEN _fair_nonce[c.ordinal] <> CASE WHEN _fair_client_seed_id[c.ordinal] = g.fair_client_seed_id THEN g.fair_nonce ELSE -1 END
        THEN 'nonce_moved'
      ELSE 'opened'
    END) AS outcome
    OFFSET 0
  ) judged
$$;
