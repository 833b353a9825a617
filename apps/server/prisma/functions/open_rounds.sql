-- Opens rounds, one for each command. House wallet: it debits the bet. Seamless wallet (an account
-- without a balance): it stores the debit that the node sends next, and returns its id.
--
-- outcome          | when                                          | what becomes of it
-- -----------------|-----------------------------------------------|---------------------------
-- (judge_bets)     | always: it names every refusal                | each has its code
-- opened, replayed | judge_bets says so                            | play returns it
-- free_round       | an automatic grant may pay; nothing is opened | open_free_rounds judges it
-- opened_before    | _again: the first run has committed it        | play returns it
-- wallet_uncertain | _again: recovery has made that round void     | ERR_GEN
--
-- Its steps: judged asks judge_bets, opened writes the rounds, moved or stored their debits,
-- totalled what is completed at once, debited the accounts.
--
-- A refusal is an outcome, not an exception, so it cannot undo another player's round. A batch
-- holds at most one command of a player; the caller ensures it.
-- decision 018: the caller sends a batch again (_again) when its connection was lost, and gives
-- both runs one _batch_id.
-- decision 031: a command with a _fair_nonce has a fair draw, by the server seed of the account,
-- this client seed and this nonce. Its round takes the nonce.
-- _automatic = false leaves automatic grants out: open_free_rounds has found none.
CREATE FUNCTION open_rounds(
  _player_id bigint[], _session_row_id bigint[], _mode text[], _cost_multiplier numeric[], _amount bigint[],
  _debit bigint[], _book_id bigint[], _payout_multiplier bigint[], _payout bigint[], _auto_close boolean[],
  _minimum_round_duration_ms bigint[], _play_key text[], _wallet_down boolean[],
  _fair_client_seed_id bigint[], _fair_nonce bigint[],
  _batch_id bigint DEFAULT NULL, _again boolean DEFAULT false, _automatic boolean DEFAULT true
) RETURNS TABLE (ordinal bigint, outcome text, round_id bigint, balance_micros bigint, debit_id uuid)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
  _now timestamptz;
  _today date;
BEGIN
  _now := lock_players(_player_id);
  -- decision 002: the day is read under the lock, so batches around midnight agree on it.
  _today := (_now AT TIME ZONE 'UTC')::date;
  IF _again THEN
    FOR ordinal, outcome, round_id, balance_micros, debit_id IN
      SELECT * FROM opened_before(_session_row_id, _batch_id)
    LOOP
      RETURN NEXT;
      -- The query below leaves out a command without a session.
      _session_row_id[ordinal] := NULL;
    END LOOP;
  END IF;
  RETURN QUERY
  WITH judged AS MATERIALIZED (
    SELECT j.*,
      CASE WHEN j.outcome = 'opened' THEN nextval('rounds_id_seq') END AS opened_id,
      CASE WHEN j.outcome = 'opened' AND j.balance_micros IS NULL THEN wallet_transaction_id() END AS debit_id,
      CASE WHEN j.outcome = 'opened' THEN _debit[j.ordinal] ELSE 0 END AS debit
    FROM judge_bets(_session_row_id, _mode, _amount, _debit, _minimum_round_duration_ms, _play_key, _wallet_down,
      _fair_client_seed_id, _fair_nonce, _now, _today, _automatic) j
  ), opened AS (
    -- A lost round of auto-close is completed at once, unless the operator keeps the money.
    INSERT INTO rounds (id, player_id, game_id, game_version_id, session_id, account_id,
      mode, cost_multiplier, amount_micros, debit_micros, book_id, payout_multiplier, payout_micros,
      play_key, opened_at,
      ended_at,
      wallet_state,
      batch_id, country, balance_before_micros,
      fair_seed_id,
      fair_nonce)
    SELECT j.opened_id, j.player_id, j.game_id, j.game_version_id, j.session_id, j.account_id,
      _mode[j.ordinal], _cost_multiplier[j.ordinal], _amount[j.ordinal], j.debit, _book_id[j.ordinal],
      _payout_multiplier[j.ordinal], _payout[j.ordinal],
      _play_key[j.ordinal], _now,
      CASE WHEN _auto_close[j.ordinal] AND _payout[j.ordinal] = 0 AND j.debit_id IS NULL THEN _now END,
      CASE WHEN j.debit_id IS NOT NULL THEN 'debit_pending'::wallet_state END,
      _batch_id, j.country, j.balance_micros,
      CASE WHEN _fair_nonce[j.ordinal] IS NOT NULL THEN j.fair_seed_id END,
      _fair_nonce[j.ordinal]
    FROM judged j
    WHERE j.outcome = 'opened'
  ), moved AS (
    -- House wallet: the bet moves to the house.
    INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
    SELECT 'bet', j.account_id, j.house_account_id, j.debit, j.opened_id, _now
    FROM judged j
    WHERE j.outcome = 'opened' AND j.debit_id IS NULL
  ), stored AS (
    -- Seamless wallet: the node sends this debit next.
    INSERT INTO wallet_transactions (transaction_id, kind, round_id, amount_micros, due_at, retry_until, created_at)
    SELECT j.debit_id, 'debit', j.opened_id, j.debit, _now + debit_lease(), _now + retry_period(), _now
    FROM judged j
    WHERE j.debit_id IS NOT NULL
  ), totalled AS (
    -- The rounds that are completed at once.
    INSERT INTO completed_rounds (operator_id, game_version_id, day, bet_micros, mode, currency)
    SELECT j.operator_id, j.game_version_id, _today, j.debit, _mode[j.ordinal], j.currency
    FROM judged j
    WHERE j.outcome = 'opened' AND j.debit_id IS NULL AND _auto_close[j.ordinal] AND _payout[j.ordinal] = 0
  ), debited AS (
    -- decision 017: the locked account is updated where it is (ctid), without a look-up.
    UPDATE accounts a
    SET balance_micros = j.balance_micros - j.debit,
      counted_on = _today, won_today_micros = j.won_today, wagered_today_micros = j.wagered_today + j.debit,
      active_session_id = active_session(j.active_session_id, j.active_at, j.session_id), active_at = _now,
      fair_nonce = CASE
        WHEN j.outcome = 'opened' AND _fair_nonce[j.ordinal] IS NOT NULL THEN _fair_nonce[j.ordinal] + 1
        ELSE a.fair_nonce
      END
    FROM judged j
    WHERE j.outcome IN ('opened', 'replayed') AND a.ctid = j.account_ctid
  )
  SELECT j.ordinal,
    CASE
      WHEN j.outcome = 'opened' AND (j.debit >= j.large_debit OR _payout[j.ordinal] >= j.large_win)
        THEN record_large_amounts(j.opened_id, j.account_id, j.debit, _payout[j.ordinal], _today, j.wagered_today)
      ELSE j.outcome
    END,
    coalesce(j.opened_id, j.round_id), j.balance_micros - j.debit, j.debit_id
  FROM judged j;
END
$$;

SELECT pin_plans('open_rounds');
