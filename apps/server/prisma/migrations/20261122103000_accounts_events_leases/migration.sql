-- Rounds are kept apart by account; a round has a bounded number of events; a debit is leased to the node that asks for it.

-- A round belongs to an account, that is to a player and a currency: in a session of another currency its amounts would be shown, and
-- ended, in money that it was not played for. The index of open rounds is made last: of two indexes that look equally good, which all
-- are while rounds is known to be empty, the planner takes the last one, and through the other one a look-up of the open round reads
-- every round that was ever played.
DROP INDEX rounds_one_open_per_player_and_game;
DROP INDEX rounds_player_id_game_id_id_idx;
CREATE INDEX rounds_account_id_game_id_id_idx ON rounds (account_id, game_id, id);
CREATE UNIQUE INDEX rounds_one_open_per_account_and_game ON rounds (account_id, game_id) WHERE closed_at IS NULL;

-- record_events refuses before this does. Not valid: a round that has more keeps them.
ALTER TABLE round_events ADD CONSTRAINT round_events_1000_at_most CHECK (seq BETWEEN 1 AND 1000) NOT VALID;

-- When `answer` came, of whatever attempt was the last one.
ALTER TABLE wallet_calls ADD COLUMN answered_at timestamptz;

-- For how long a debit belongs to the node that asks for it. The node renews it for as long as it waits for the answer, so a debit
-- that is due has lost its node.
CREATE FUNCTION debit_lease() RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '2.5 seconds' $$;

-- Skips what is being settled at this moment: to wait for it would serve nothing, and two batches could wait for each other.
CREATE FUNCTION renew_debit_leases(_call_ids uuid[]) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  UPDATE wallet_calls w SET due_at = clock_timestamp() + debit_lease()
  FROM (SELECT c.id FROM wallet_calls c WHERE c.id = ANY (_call_ids) AND c.state = 'pending' FOR UPDATE SKIP LOCKED) held
  WHERE w.id = held.id
$$;

-- Debits that no node works on any more, leased to the caller, who gives them up.
CREATE FUNCTION take_abandoned_debits(_limit integer) RETURNS SETOF uuid
LANGUAGE sql VOLATILE
AS $$
  UPDATE wallet_calls w SET due_at = clock_timestamp() + debit_lease()
  FROM (
    SELECT c.id FROM wallet_calls c
    WHERE c.state = 'pending' AND c.kind = 'debit' AND c.due_at <= clock_timestamp()
    ORDER BY c.due_at LIMIT _limit
    FOR UPDATE SKIP LOCKED
  ) due
  WHERE w.id = due.id
  RETURNING w.id
$$;

-- As before, but debits are not repeated: take_abandoned_debits has them.
CREATE OR REPLACE FUNCTION take_due_wallet_calls(_limit integer) RETURNS SETOF uuid
LANGUAGE sql VOLATILE
AS $$
  UPDATE wallet_calls w SET due_at = clock_timestamp() + due.lease
  FROM (
    SELECT c.id, o.wallet_timeout_ms * interval '1 millisecond' + wallet_call_grace() AS lease
    FROM wallet_calls c
    JOIN rounds r ON r.id = c.round_id
    JOIN accounts a ON a.id = r.account_id
    JOIN operators o ON o.id = a.operator_id
    WHERE c.state = 'pending' AND c.kind <> 'debit' AND c.due_at <= clock_timestamp()
    ORDER BY c.due_at LIMIT _limit
    FOR UPDATE OF c SKIP LOCKED
  ) due
  WHERE w.id = due.id
  RETURNING w.id
$$;

-- As before, by account, and with a lease in place of the operator's time-out. Outcomes: see 20261121000300_seamless_wallet.
CREATE OR REPLACE FUNCTION open_rounds(
  _player_ids bigint[], _session_ids bigint[], _modes text[], _cost_multipliers numeric[], _amounts bigint[], _debits bigint[],
  _book_ids bigint[], _payout_multipliers bigint[], _payouts bigint[], _auto_closes boolean[],
  _minimum_durations_ms bigint[], _play_keys text[], _bets_refused boolean[], _wallets_down boolean[]
) RETURNS TABLE (ordinal bigint, outcome text, round_id bigint, balance_micros bigint, debit_id uuid)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  _now timestamptz;
  _today date;
BEGIN
  PERFORM 1 FROM accounts a WHERE a.player_id = ANY (_player_ids) ORDER BY a.id FOR NO KEY UPDATE;
  _now := clock_timestamp();
  _today := (_now AT TIME ZONE 'UTC')::date;
  RETURN QUERY
  WITH judged AS MATERIALIZED (
    SELECT c.ordinal, c.session_id, g.player_id, g.account_id, g.game_id, g.game_version_id, a.balance_micros,
      house.id AS house_account_id, t.wagered_today, t.won_today, verdict.outcome,
      CASE WHEN verdict.outcome = 'opened' THEN nextval('rounds_id_seq') ELSE earlier.id END AS round_id,
      CASE WHEN verdict.outcome = 'opened' AND a.balance_micros IS NULL THEN gen_random_uuid() END AS debit_id
    FROM unnest(_session_ids) WITH ORDINALITY AS c (session_id, ordinal)
    JOIN session_gates g ON g.session_id = c.session_id
    JOIN accounts a ON a.id = g.account_id
    -- Left, so that a missing house account stops the transfer (which must name both ends) and with it the whole batch.
    LEFT JOIN accounts house ON house.operator_id = a.operator_id AND house.kind = 'house' AND house.currency = a.currency
    LEFT JOIN operator_limits own ON own.operator_id = a.operator_id AND own.currency = a.currency
    CROSS JOIN LATERAL (
      SELECT CASE WHEN a.counted_on = _today THEN a.wagered_today_micros ELSE 0 END AS wagered_today,
             CASE WHEN a.counted_on = _today THEN a.won_today_micros ELSE 0 END AS won_today
    ) t
    LEFT JOIN LATERAL (
      SELECT r.id, r.amount_micros, r.mode, r.wallet_state FROM rounds r
      WHERE r.session_id = c.session_id AND r.play_key = _play_keys[c.ordinal] LIMIT 1
    ) earlier ON true
    LEFT JOIN LATERAL (
      SELECT r.id, r.wallet_state FROM rounds r
      WHERE r.account_id = g.account_id AND r.game_id = g.game_id AND r.closed_at IS NULL LIMIT 1
    ) active ON true
    -- OFFSET keeps it one expression: without it the planner would write it out wherever its outcome is used.
    CROSS JOIN LATERAL (
      SELECT CASE
        WHEN g.maintenance = 'no_new_rounds' AND earlier.id IS NULL THEN 'maintenance'
        WHEN g.refusal IS NOT NULL THEN g.refusal
        WHEN earlier.id IS NOT NULL AND (earlier.amount_micros, earlier.mode) IS DISTINCT FROM (_amounts[c.ordinal], _modes[c.ordinal])
          THEN 'key_reused'
        WHEN earlier.wallet_state = 'debit_pending' THEN 'settling'
        WHEN earlier.wallet_state = 'void' THEN 'given_back'
        WHEN earlier.id IS NOT NULL THEN 'replayed'
        WHEN _bets_refused[c.ordinal] THEN 'bet_refused'
        WHEN active.id IS NOT NULL THEN CASE WHEN active.wallet_state = 'debit_pending' THEN 'settling' ELSE 'round_active' END
        WHEN _minimum_durations_ms[c.ordinal] > 0 AND (
          SELECT r.opened_at FROM rounds r
          WHERE r.account_id = g.account_id AND r.game_id = g.game_id AND r.wallet_state IS DISTINCT FROM 'void' ORDER BY r.id DESC LIMIT 1
        ) + _minimum_durations_ms[c.ordinal] * interval '1 millisecond' > _now THEN 'too_early'
        WHEN _debits[c.ordinal] > own.max_bet_micros THEN 'bet_limit'
        WHEN t.wagered_today + _debits[c.ordinal] > least(a.daily_wager_limit_micros, own.daily_wager_limit_micros) THEN 'wager_limit'
        WHEN t.wagered_today - t.won_today + _debits[c.ordinal] > least(a.daily_loss_limit_micros, own.daily_loss_limit_micros) THEN 'loss_limit'
        WHEN a.balance_micros < _debits[c.ordinal] THEN 'balance'
        WHEN _wallets_down[c.ordinal] AND a.balance_micros IS NULL THEN 'wallet_down'
        ELSE 'opened'
      END AS outcome
      OFFSET 0
    ) verdict
  ), opened AS (
    INSERT INTO rounds (id, player_id, game_id, game_version_id, session_id, account_id, mode, cost_multiplier, amount_micros,
      debit_micros, book_id, payout_multiplier, payout_micros, play_key, opened_at, closed_at, wallet_state)
    SELECT j.round_id, j.player_id, j.game_id, j.game_version_id, j.session_id, j.account_id, _modes[j.ordinal],
      _cost_multipliers[j.ordinal], _amounts[j.ordinal], _debits[j.ordinal], _book_ids[j.ordinal], _payout_multipliers[j.ordinal],
      _payouts[j.ordinal], _play_keys[j.ordinal], _now,
      CASE WHEN _auto_closes[j.ordinal] AND _payouts[j.ordinal] = 0 AND j.debit_id IS NULL THEN _now END,
      CASE WHEN j.debit_id IS NOT NULL THEN 'debit_pending'::wallet_state END
    FROM judged j WHERE j.outcome = 'opened'
  ), moved AS (
    INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
    SELECT 'bet', j.account_id, j.house_account_id, _debits[j.ordinal], j.round_id, _now
    FROM judged j WHERE j.outcome = 'opened' AND j.debit_id IS NULL
  ), asked AS (
    INSERT INTO wallet_calls (id, kind, round_id, amount_micros, due_at, retry_until, created_at)
    SELECT j.debit_id, 'debit', j.round_id, _debits[j.ordinal], _now + debit_lease(), _now + wallet_call_patience(), _now
    FROM judged j WHERE j.debit_id IS NOT NULL
  ), debited AS (
    UPDATE accounts a SET balance_micros = j.balance_micros - _debits[j.ordinal], counted_on = _today,
      wagered_today_micros = j.wagered_today + _debits[j.ordinal], won_today_micros = j.won_today
    FROM judged j WHERE j.outcome = 'opened' AND a.id = j.account_id
  ), touched AS (
    UPDATE sessions s SET last_active_at = _now
    FROM judged j WHERE j.outcome IN ('opened', 'replayed') AND s.id = j.session_id
  )
  SELECT j.ordinal, j.outcome, j.round_id,
    CASE WHEN j.outcome = 'opened' THEN j.balance_micros - _debits[j.ordinal] ELSE j.balance_micros END, j.debit_id
  FROM judged j;
END
$$;

-- As before, by account. Outcomes: see 20261121000300_seamless_wallet.
CREATE OR REPLACE FUNCTION close_rounds(_player_ids bigint[], _session_ids bigint[])
RETURNS TABLE (ordinal bigint, outcome text, round_id bigint, balance_micros bigint, credit_id uuid)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  _now timestamptz;
  _today date;
BEGIN
  PERFORM 1 FROM accounts a WHERE a.player_id = ANY (_player_ids) ORDER BY a.id FOR NO KEY UPDATE;
  _now := clock_timestamp();
  _today := (_now AT TIME ZONE 'UTC')::date;
  RETURN QUERY
  WITH command AS MATERIALIZED (
    SELECT * FROM unnest(_session_ids) WITH ORDINALITY AS c (session_id, ordinal)
  ), judged AS MATERIALIZED (
    SELECT c.ordinal, c.session_id, a.id AS account_id, a.balance_micros, g.wallet_timeout_ms, r.id AS round_id,
      r.payout_micros AS payout, r.wallet_state, house.id AS house_account_id,
      CASE
        WHEN g.refusal IS NOT NULL THEN g.refusal
        WHEN r.wallet_state = 'debit_pending' THEN 'settling'
        WHEN r.wallet_state IS NOT NULL THEN 'owed'
        WHEN r.id IS NOT NULL AND a.balance_micros > 9007199254740991 - r.payout_micros THEN 'balance_overflow'
        WHEN r.id IS NOT NULL THEN 'closed'
        WHEN EXISTS (
          SELECT 1 FROM rounds e WHERE e.account_id = g.account_id AND e.game_id = g.game_id AND e.wallet_state IS DISTINCT FROM 'void'
        ) THEN 'nothing_open'
        ELSE 'never_played'
      END AS outcome
    FROM command c
    JOIN session_gates g ON g.session_id = c.session_id
    JOIN accounts a ON a.id = g.account_id
    LEFT JOIN LATERAL (
      SELECT o.id, o.payout_micros, o.wallet_state FROM rounds o
      WHERE o.account_id = g.account_id AND o.game_id = g.game_id AND o.closed_at IS NULL LIMIT 1
    ) r ON true
    LEFT JOIN accounts house ON house.operator_id = a.operator_id AND house.kind = 'house' AND house.currency = a.currency
  ), asked AS (
    INSERT INTO wallet_calls (kind, round_id, amount_micros, due_at, retry_until, created_at)
    SELECT 'credit', j.round_id, j.payout, _now + j.wallet_timeout_ms * interval '1 millisecond' + wallet_call_grace(),
      _now + wallet_call_patience(), _now
    FROM judged j WHERE j.outcome = 'owed' AND j.wallet_state = 'debited'
    RETURNING id, round_id
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
  ), credited AS (
    UPDATE accounts a SET balance_micros = a.balance_micros + j.payout, counted_on = _today,
      wagered_today_micros = CASE WHEN a.counted_on = _today THEN a.wagered_today_micros ELSE 0 END,
      won_today_micros = CASE WHEN a.counted_on = _today THEN a.won_today_micros ELSE 0 END + j.payout
    FROM judged j WHERE j.outcome = 'closed' AND j.payout > 0 AND a.id = j.account_id
  ), touched AS (
    UPDATE sessions s SET last_active_at = _now
    FROM judged j WHERE j.outcome IN ('closed', 'owed', 'nothing_open') AND s.id = j.session_id
  )
  SELECT j.ordinal, j.outcome, j.round_id,
    CASE WHEN j.outcome = 'closed' THEN j.balance_micros + j.payout ELSE j.balance_micros END,
    CASE WHEN j.outcome = 'owed' THEN coalesce(
      (SELECT k.id FROM asked k WHERE k.round_id = j.round_id),
      (SELECT w.id FROM wallet_calls w WHERE w.round_id = j.round_id AND w.kind = 'credit')
    ) END
  FROM judged j;
END
$$;

-- As before, by account. One more outcome: too_many_events.
CREATE OR REPLACE FUNCTION record_events(_player_ids bigint[], _session_ids bigint[], _events text[])
RETURNS TABLE (ordinal bigint, outcome text)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  _now timestamptz;
BEGIN
  PERFORM 1 FROM accounts a WHERE a.player_id = ANY (_player_ids) ORDER BY a.id FOR NO KEY UPDATE;
  _now := clock_timestamp();
  RETURN QUERY
  WITH command AS MATERIALIZED (
    SELECT * FROM unnest(_session_ids, _events) WITH ORDINALITY AS c (session_id, event, ordinal)
  ), judged AS MATERIALIZED (
    SELECT c.*, r.id AS round_id, latest.seq,
      CASE
        WHEN g.refusal IS NOT NULL THEN g.refusal
        WHEN r.id IS NULL THEN 'no_active_round'
        WHEN latest.seq >= 1000 THEN 'too_many_events'
        ELSE 'recorded'
      END AS outcome
    FROM command c
    JOIN session_gates g ON g.session_id = c.session_id
    LEFT JOIN LATERAL (
      SELECT o.id FROM rounds o
      WHERE o.account_id = g.account_id AND o.game_id = g.game_id AND o.closed_at IS NULL
        AND o.wallet_state IS DISTINCT FROM 'debit_pending' LIMIT 1
    ) r ON true
    LEFT JOIN LATERAL (SELECT e.seq FROM round_events e WHERE e.round_id = r.id ORDER BY e.seq DESC LIMIT 1) latest ON true
  ), recorded AS (
    INSERT INTO round_events (round_id, seq, event, created_at)
    SELECT j.round_id, coalesce(j.seq, 0) + 1, j.event, _now
    FROM judged j WHERE j.outcome = 'recorded'
  ), touched AS (
    UPDATE sessions s SET last_active_at = _now
    FROM judged j WHERE j.outcome = 'recorded' AND s.id = j.session_id
  )
  SELECT j.ordinal, j.outcome FROM judged j;
END
$$;

-- As before, by account.
CREATE OR REPLACE FUNCTION authenticate_sessions(_player_ids bigint[], _session_ids bigint[])
RETURNS TABLE (ordinal bigint, outcome text, balance_micros bigint, round_id bigint)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  _now timestamptz;
BEGIN
  PERFORM 1 FROM accounts a WHERE a.player_id = ANY (_player_ids) ORDER BY a.id FOR NO KEY UPDATE;
  _now := clock_timestamp();
  RETURN QUERY
  WITH command AS MATERIALIZED (
    SELECT * FROM unnest(_session_ids) WITH ORDINALITY AS c (session_id, ordinal)
  ), judged AS MATERIALIZED (
    SELECT c.ordinal, g.*, a.balance_micros, coalesce(g.authentication_refusal, 'authenticated') AS outcome
    FROM command c
    JOIN session_gates g ON g.session_id = c.session_id
    JOIN accounts a ON a.id = g.account_id
  ), touched AS (
    UPDATE sessions s SET state = 'authenticated', last_active_at = _now
    FROM judged j WHERE j.outcome = 'authenticated' AND s.id = j.session_id
  )
  -- An open round is always the newest one: no round opens while one is open.
  SELECT j.ordinal, j.outcome, j.balance_micros, (
    SELECT r.id FROM rounds r
    WHERE r.account_id = j.account_id AND r.game_id = j.game_id
      AND (r.wallet_state IS NULL OR r.wallet_state NOT IN ('debit_pending', 'void'))
    ORDER BY r.id DESC LIMIT 1
  ) FROM judged j;
END
$$;

-- As before, and notes when the answer came. Verdicts and outcomes: see 20261121000300_seamless_wallet.
CREATE OR REPLACE FUNCTION settle_wallet_calls(
  _player_ids bigint[], _call_ids uuid[], _verdicts text[], _answers text[], _auto_closes boolean[]
) RETURNS TABLE (ordinal bigint, outcome text, next_id uuid)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  _now timestamptz;
  _today date;
BEGIN
  PERFORM 1 FROM accounts a WHERE a.player_id = ANY (_player_ids) ORDER BY a.id FOR NO KEY UPDATE;
  _now := clock_timestamp();
  _today := (_now AT TIME ZONE 'UTC')::date;
  RETURN QUERY
  WITH verdict AS MATERIALIZED (
    SELECT * FROM unnest(_call_ids, _verdicts, _answers, _auto_closes) WITH ORDINALITY AS v (call_id, verdict, answer, auto_close, ordinal)
  ), call AS MATERIALIZED (
    -- A parked call is open too: a person, or the player who ends the round again, may have it tried once more.
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
      -- The node that writes it sends it too, when it can; a rollback is left to recovery from the start.
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
      -- A void round holds its key no longer: the same play may be tried anew.
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
