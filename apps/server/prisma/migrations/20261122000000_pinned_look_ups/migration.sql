-- The same rules at less cost, and plans that stay right when a table grows after they were made. A connection keeps a plan until
-- PostgreSQL has analysed a table anew, and a table of a few operators or games is never analysed by itself.

-- Of two indexes that look equally good, which all are while rounds is known to be empty, the planner takes the one that was made
-- last. It has to be this one: through the other index a look-up of the open round reads every round that the player ever played.
DROP INDEX rounds_one_open_per_player_and_game;
CREATE UNIQUE INDEX rounds_one_open_per_player_and_game ON rounds (player_id, game_id) WHERE closed_at IS NULL;

-- As before. LIMIT pins each look-up to its command: planned with one operator and one game, the join began with those, and went
-- through the whole batch once for every operator and game that was added later. The switches are looked at only when one is set,
-- each by its key: three bitmaps for every command cost more than the rest of the gate.
CREATE OR REPLACE VIEW session_gates AS
SELECT
  s.id AS session_id,
  s.player_id,
  s.account_id,
  s.game_version_id,
  v.game_id,
  m.level AS maintenance,
  CASE
    WHEN m.level = 'nothing_at_all' THEN 'maintenance'
    WHEN s.state <> 'authenticated' OR s.expires_at <= now()
      OR s.last_active_at + o.session_timeout_ms * interval '1 millisecond' <= now() THEN 'session'
    WHEN p.login_expires_at <= now() THEN 'login'
    WHEN NOT c.located THEN 'location'
  END AS refusal,
  CASE
    WHEN m.level = 'nothing_at_all' THEN 'maintenance'
    WHEN s.state = 'revoked' OR s.expires_at <= now() THEN 'session'
    WHEN p.login_expires_at <= now() THEN 'login'
    WHEN NOT c.located THEN 'location'
  END AS authentication_refusal,
  o.id AS operator_id,
  o.wallet_timeout_ms
FROM sessions s
JOIN players p ON p.id = s.player_id
CROSS JOIN LATERAL (SELECT * FROM operators WHERE id = p.operator_id LIMIT 1) o
CROSS JOIN LATERAL (SELECT game_id FROM game_versions WHERE id = s.game_version_id LIMIT 1) v
CROSS JOIN LATERAL (
  SELECT CASE WHEN EXISTS (SELECT FROM maintenance) THEN greatest(
    (SELECT w.level FROM maintenance w WHERE w.scope = 'server' AND w.target = ''),
    (SELECT w.level FROM maintenance w WHERE w.scope = 'operator' AND w.target = o.code),
    (SELECT w.level FROM games g JOIN maintenance w ON w.scope = 'game' AND w.target = g.code WHERE g.id = v.game_id)
  ) END AS level
) m
CROSS JOIN LATERAL (
  SELECT (cardinality(o.allowed_countries) = 0 OR coalesce(coalesce(s.country, p.country) = ANY (o.allowed_countries), false))
     AND coalesce(coalesce(s.country, p.country) <> ALL (o.blocked_countries), true) AS located
) c;

-- As before, word for word in what it decides. What a command brings is read from its array where it is needed, by the command's
-- ordinal: carried through every join and common table it was the widest part of each row, and of the work to set the plan up.
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
    SELECT c.ordinal, c.session_id, g.player_id, g.account_id, g.game_id, g.game_version_id, g.wallet_timeout_ms, a.balance_micros,
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
      WHERE r.player_id = g.player_id AND r.game_id = g.game_id AND r.closed_at IS NULL LIMIT 1
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
          WHERE r.player_id = g.player_id AND r.game_id = g.game_id AND r.wallet_state IS DISTINCT FROM 'void' ORDER BY r.id DESC LIMIT 1
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
    SELECT j.debit_id, 'debit', j.round_id, _debits[j.ordinal], _now + j.wallet_timeout_ms * interval '1 millisecond' + wallet_call_grace(),
      _now + wallet_call_patience(), _now
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
