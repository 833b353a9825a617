-- Opens rounds for players who may have grants, one for each command. Where a grant pays, the
-- operator pays the bet, and the statement that opens the round takes one round from that grant:
-- the one that _grant_id names, else an automatic one. A command that names no grant, and that no
-- automatic one pays, goes on to open_rounds.
--
-- outcome           | when                                            | what becomes of it
-- ------------------|-------------------------------------------------|--------------------
-- (judge_free_bets) | a grant is named, and it refuses the bet        | each has its code
-- (open_rounds)     | no grant pays: it refuses the bet, or opens one | as open_rounds says
-- opened            | a grant pays, and has one round less            | play returns it
--
-- grant_id is the operator's id of the grant of an opened round. No sum of the day changes.
CREATE FUNCTION open_free_rounds(
  _player_id bigint[], _session_row_id bigint[], _mode text[], _cost_multiplier numeric[], _amount bigint[],
  _debit bigint[], _book_id bigint[], _payout_multiplier bigint[], _payout bigint[], _auto_close boolean[],
  _minimum_round_duration_ms bigint[], _play_key text[], _wallet_down boolean[],
  _fair_client_seed_id bigint[], _fair_nonce bigint[], _grant_id text[],
  _batch_id bigint DEFAULT NULL, _again boolean DEFAULT false
) RETURNS TABLE (ordinal bigint, outcome text, round_id bigint, balance_micros bigint, debit_id uuid, grant_id text)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
  _now timestamptz;
  _today date;
BEGIN
  _now := lock_players(_player_id);
  _today := (_now AT TIME ZONE 'UTC')::date;

  -- 1. A second run returns what the first run of the batch has committed (decision 018). A command
  -- that has its row loses its session, so the steps below leave it out.
  IF _again THEN
    FOR ordinal, outcome, round_id, balance_micros, debit_id, grant_id IN
      SELECT b.*, g.external_id
      FROM opened_before(_session_row_id, _batch_id) b
      JOIN rounds r ON r.id = b.round_id
      LEFT JOIN grants g ON g.id = r.grant_id
    LOOP
      RETURN NEXT;
      _session_row_id[ordinal] := NULL;
    END LOOP;
  END IF;

  -- 2. Commands that a grant pays, or that name a grant: judged, then the grant gives a round
  -- (taken), which is opened, with a debit of 0 for an operator's wallet (stored).
  FOR ordinal, outcome, round_id, balance_micros, debit_id, grant_id IN
    WITH judged AS MATERIALIZED (
      SELECT j.*,
        CASE WHEN j.outcome = 'opened' THEN nextval('rounds_id_seq') END AS opened_id,
        CASE WHEN j.outcome = 'opened' AND j.balance_micros IS NULL THEN wallet_transaction_id() END AS debit_id
      FROM judge_free_bets(_session_row_id, _mode, _amount, _minimum_round_duration_ms, _play_key, _wallet_down,
        _fair_client_seed_id, _fair_nonce, _grant_id, _now, _today) j
    ), taken AS (
      UPDATE grants g
      SET "left" = g."left" - 1, used = g.used + 1, open_rounds = g.open_rounds + 1,
        state = 'accepted', change_seq = NULL
      FROM judged j
      WHERE j.outcome = 'opened' AND g.id = j.grant_row_id
    ), opened AS (
      INSERT INTO rounds (id, player_id, game_id, game_version_id, session_id, account_id,
        mode, cost_multiplier, amount_micros, debit_micros, book_id, payout_multiplier, payout_micros,
        play_key, opened_at, batch_id, country, balance_before_micros, grant_id,
        wallet_state,
        credit_micros,
        fair_seed_id,
        fair_nonce)
      SELECT j.opened_id, j.player_id, j.game_id, j.game_version_id, j.session_id, j.account_id,
        _mode[j.ordinal], _cost_multiplier[j.ordinal], _amount[j.ordinal], _debit[j.ordinal], _book_id[j.ordinal],
        _payout_multiplier[j.ordinal], _payout[j.ordinal],
        _play_key[j.ordinal], _now, _batch_id, j.country, j.balance_micros, j.grant_row_id,
        CASE WHEN j.debit_id IS NOT NULL THEN 'debit_pending'::wallet_state END,
        CASE WHEN j.paid_at_end THEN 0 END,
        CASE WHEN _fair_nonce[j.ordinal] IS NOT NULL THEN j.fair_seed_id END,
        _fair_nonce[j.ordinal]
      FROM judged j
      WHERE j.outcome = 'opened'
    ), stored AS (
      -- Seamless wallet: the node sends a debit of 0 next.
      INSERT INTO wallet_transactions (transaction_id, kind, round_id, amount_micros, due_at, retry_until, created_at)
      SELECT j.debit_id, 'debit', j.opened_id, 0, _now + debit_lease(), _now + retry_period(), _now
      FROM judged j
      WHERE j.debit_id IS NOT NULL
    ), active AS (
      UPDATE accounts a
      SET active_session_id = active_session(j.active_session_id, j.active_at, j.session_id), active_at = _now,
        fair_nonce = CASE
          WHEN j.outcome = 'opened' AND _fair_nonce[j.ordinal] IS NOT NULL THEN _fair_nonce[j.ordinal] + 1
          ELSE a.fair_nonce
        END
      FROM judged j
      WHERE j.outcome IN ('opened', 'replayed') AND a.ctid = j.account_ctid
    )
    SELECT j.ordinal,
      CASE
        WHEN j.outcome = 'opened' AND _payout[j.ordinal] >= j.large_win
          THEN record_large_amounts(j.opened_id, j.account_id, 0, _payout[j.ordinal], _today, j.wagered_today)
        ELSE j.outcome
      END,
      coalesce(j.opened_id, j.round_id), j.balance_micros, j.debit_id, j.grant_id
    FROM judged j
    -- Step 3 has the others.
    WHERE _grant_id[j.ordinal] IS NOT NULL OR j.outcome = 'opened'
  LOOP
    -- House wallet: a lost round of auto-close is completed at once. That may end its
    -- grant, which then pays its winnings, so the balance is read again.
    IF outcome = 'opened' AND debit_id IS NULL AND _auto_close[ordinal] AND _payout[ordinal] = 0 THEN
      PERFORM finish_rounds(
        _account_ctid => ARRAY[a.ctid], _round_id => ARRAY[r.id], _house_account_id => ARRAY[a.house_account_id],
        _payout => ARRAY[0::bigint], _won => ARRAY[0::bigint], _credit_id => NULL, _due_at => NULL,
        _session_id => ARRAY[r.session_id], _now => _now)
      FROM rounds r
      JOIN accounts a ON a.id = r.account_id
      WHERE r.id = round_id;
      SELECT a.balance_micros INTO balance_micros
      FROM rounds r
      JOIN accounts a ON a.id = r.account_id
      WHERE r.id = round_id;
    END IF;
    RETURN NEXT;
    _session_row_id[ordinal] := NULL;
  END LOOP;

  -- 3. All other commands. The player pays.
  RETURN QUERY
  SELECT o.*, NULL::text
  FROM open_rounds(
    _player_id, _session_row_id, _mode, _cost_multiplier, _amount, _debit, _book_id, _payout_multiplier, _payout,
    _auto_close, _minimum_round_duration_ms, _play_key, _wallet_down, _fair_client_seed_id, _fair_nonce, _batch_id,
    _automatic => false
  ) o;
END
$$;

SELECT pin_plans('open_free_rounds');
