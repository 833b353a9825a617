-- The commands of a round, each for a whole batch at once: one call, one transaction, one commit.
--
-- Every command that writes first locks all accounts of its players, in the order of their ids: that is the one lock of a
-- player, and the sorted order means that two batches never wait for each other in a circle. What is judged after it is
-- judged by a statement of its own, which under READ COMMITTED sees what the waited-for transaction committed; the clock is
-- read then too, so that a player's rows are stamped in the order in which they happened.
-- A refusal is an outcome in the command's row, never an exception, so that one player's refusal cannot undo another's round.
-- A batch holds at most one command of a player; the caller sees to it.
--
-- The SET clauses, and LIMIT in the look-ups of rounds, pin the plan to one index look-up per command: a batch touches a handful
-- of rows in tables of any size, and a plan made while the tables were small must not be kept when they are large. Without LIMIT
-- the planner joined such a look-up to the whole of its index. No common table is joined to another: that would be a loop in a loop.

-- What stands between a session and its request, decided at the moment of the call: switches, time-outs and limits take
-- effect on every node at once because no node remembers them. The first reason that applies is the one that is answered.
CREATE VIEW session_gates AS
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
  -- Authenticate asks the operator again: an idle session comes back to life, a revoked or ended one does not.
  CASE
    WHEN m.level = 'nothing_at_all' THEN 'maintenance'
    WHEN s.state = 'revoked' OR s.expires_at <= now() THEN 'session'
    WHEN p.login_expires_at <= now() THEN 'login'
    WHEN NOT c.located THEN 'location'
  END AS authentication_refusal
FROM sessions s
JOIN players p ON p.id = s.player_id
JOIN operators o ON o.id = p.operator_id
JOIN game_versions v ON v.id = s.game_version_id
JOIN games g ON g.id = v.game_id
CROSS JOIN LATERAL (
  SELECT max(w.level) AS level FROM maintenance w
  WHERE w.scope = 'server' OR (w.scope = 'operator' AND w.target = o.code) OR (w.scope = 'game' AND w.target = g.code)
) m
CROSS JOIN LATERAL (
  -- A country that nobody told is inside no list of allowed ones, and on no list of blocked ones.
  SELECT (cardinality(o.allowed_countries) = 0 OR coalesce(coalesce(s.country, p.country) = ANY (o.allowed_countries), false))
     AND coalesce(coalesce(s.country, p.country) <> ALL (o.blocked_countries), true) AS located
) c;

-- The switch that applies to a request which is refused before its session is looked at (or has none).
CREATE FUNCTION maintenance_before_session(_token_sha256 bytea) RETURNS maintenance_level
LANGUAGE sql STABLE
AS $$
  SELECT max(w.level) FROM maintenance w
  LEFT JOIN sessions s ON s.token_sha256 = _token_sha256
  LEFT JOIN players p ON p.id = s.player_id
  LEFT JOIN operators o ON o.id = p.operator_id
  LEFT JOIN game_versions v ON v.id = s.game_version_id
  LEFT JOIN games g ON g.id = v.game_id
  WHERE w.scope = 'server' OR (w.scope = 'operator' AND w.target = o.code) OR (w.scope = 'game' AND w.target = g.code)
$$;

-- Opens a round and debits its bet. Outcomes: opened, replayed (the same key was played before: round_id is that round), or a
-- refusal: maintenance, session, login, location, key_reused, bet_refused, round_active, too_early, wager_limit, loss_limit,
-- balance. bet_refused is what the caller found wrong with the bet; it is answered only when nothing before it applies.
CREATE FUNCTION open_rounds(
  _player_ids bigint[], _session_ids bigint[], _modes text[], _cost_multipliers numeric[], _amounts bigint[], _debits bigint[],
  _book_ids bigint[], _payout_multipliers bigint[], _payouts bigint[], _auto_closes boolean[],
  _minimum_durations_ms bigint[], _play_keys text[], _bets_refused boolean[]
) RETURNS TABLE (ordinal bigint, outcome text, round_id bigint, balance_micros bigint)
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
    SELECT * FROM unnest(_session_ids, _modes, _cost_multipliers, _amounts, _debits, _book_ids, _payout_multipliers, _payouts,
      _auto_closes, _minimum_durations_ms, _play_keys, _bets_refused)
    WITH ORDINALITY AS c (session_id, mode, cost_multiplier, amount, debit, book_id, payout_multiplier, payout,
      auto_close, minimum_duration_ms, play_key, bet_refused, ordinal)
  ), judged AS MATERIALIZED (
    SELECT c.*, g.player_id, g.account_id, g.game_id, g.game_version_id, a.balance_micros, house.id AS house_account_id,
      earlier.id AS earlier_round_id,
      t.wagered_today, t.won_today,
      CASE
        WHEN g.maintenance = 'no_new_rounds' AND earlier.id IS NULL THEN 'maintenance'
        WHEN g.refusal IS NOT NULL THEN g.refusal
        WHEN earlier.amount_micros = c.amount AND earlier.mode = c.mode THEN 'replayed'
        WHEN earlier.id IS NOT NULL THEN 'key_reused'
        WHEN c.bet_refused THEN 'bet_refused'
        WHEN EXISTS (SELECT 1 FROM rounds r WHERE r.player_id = g.player_id AND r.game_id = g.game_id AND r.closed_at IS NULL)
          THEN 'round_active'
        WHEN c.minimum_duration_ms > 0 AND (
          SELECT r.opened_at FROM rounds r WHERE r.player_id = g.player_id AND r.game_id = g.game_id ORDER BY r.id DESC LIMIT 1
        ) + c.minimum_duration_ms * interval '1 millisecond' > _now THEN 'too_early'
        WHEN t.wagered_today + c.debit > a.daily_wager_limit_micros THEN 'wager_limit'
        WHEN t.wagered_today - t.won_today + c.debit > a.daily_loss_limit_micros THEN 'loss_limit'
        WHEN a.balance_micros < c.debit THEN 'balance'
        ELSE 'opened'
      END AS outcome
    FROM command c
    JOIN session_gates g ON g.session_id = c.session_id
    JOIN accounts a ON a.id = g.account_id
    -- Left, so that a missing house account stops the transfer (which must name both ends) and with it the whole batch.
    LEFT JOIN accounts house ON house.operator_id = a.operator_id AND house.kind = 'house' AND house.currency = a.currency
    CROSS JOIN LATERAL (
      SELECT CASE WHEN a.counted_on = _today THEN a.wagered_today_micros ELSE 0 END AS wagered_today,
             CASE WHEN a.counted_on = _today THEN a.won_today_micros ELSE 0 END AS won_today
    ) t
    LEFT JOIN LATERAL (
      SELECT r.id, r.amount_micros, r.mode FROM rounds r
      WHERE r.session_id = c.session_id AND r.play_key = c.play_key LIMIT 1
    ) earlier ON true
  ), numbered AS MATERIALIZED (
    SELECT j.*, CASE WHEN j.outcome = 'opened' THEN nextval('rounds_id_seq') ELSE j.earlier_round_id END AS round_id
    FROM judged j
  ), opened AS (
    INSERT INTO rounds (id, player_id, game_id, game_version_id, session_id, account_id, mode, cost_multiplier, amount_micros,
      debit_micros, book_id, payout_multiplier, payout_micros, play_key, opened_at, closed_at)
    SELECT n.round_id, n.player_id, n.game_id, n.game_version_id, n.session_id, n.account_id, n.mode, n.cost_multiplier, n.amount,
      n.debit, n.book_id, n.payout_multiplier, n.payout, n.play_key, _now, CASE WHEN n.auto_close AND n.payout = 0 THEN _now END
    FROM numbered n WHERE n.outcome = 'opened'
  ), moved AS (
    INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
    SELECT 'bet', n.account_id, n.house_account_id, n.debit, n.round_id, _now
    FROM numbered n WHERE n.outcome = 'opened'
  ), debited AS (
    UPDATE accounts a SET balance_micros = n.balance_micros - n.debit, counted_on = _today,
      wagered_today_micros = n.wagered_today + n.debit, won_today_micros = n.won_today
    FROM numbered n WHERE n.outcome = 'opened' AND a.id = n.account_id
  ), touched AS (
    UPDATE sessions s SET last_active_at = _now
    FROM numbered n WHERE n.outcome IN ('opened', 'replayed') AND s.id = n.session_id
  )
  SELECT n.ordinal, n.outcome, n.round_id,
    CASE WHEN n.outcome = 'opened' THEN n.balance_micros - n.debit ELSE n.balance_micros END
  FROM numbered n;
END
$$;

-- Completes the open round of the session's player and game and credits its payout. Outcomes: closed, nothing_open (the last
-- round is already completed: pays nothing), or a refusal: maintenance, session, login, location, never_played,
-- balance_overflow (the balance would leave the range of money; the round stays open).
CREATE FUNCTION close_rounds(_player_ids bigint[], _session_ids bigint[])
RETURNS TABLE (ordinal bigint, outcome text, round_id bigint, balance_micros bigint)
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
    SELECT c.ordinal, c.session_id, g.player_id, own.balance_micros AS own_balance, g.account_id AS own_account_id,
      r.id AS round_id, r.payout_micros AS payout, r.account_id,
      house.id AS house_account_id,
      CASE
        WHEN g.refusal IS NOT NULL THEN g.refusal
        WHEN r.id IS NOT NULL AND payee.balance_micros > 9007199254740991 - r.payout_micros THEN 'balance_overflow'
        WHEN r.id IS NOT NULL THEN 'closed'
        WHEN EXISTS (SELECT 1 FROM rounds e WHERE e.player_id = g.player_id AND e.game_id = g.game_id) THEN 'nothing_open'
        ELSE 'never_played'
      END AS outcome
    FROM command c
    JOIN session_gates g ON g.session_id = c.session_id
    JOIN accounts own ON own.id = g.account_id
    LEFT JOIN LATERAL (
      SELECT o.id, o.account_id, o.payout_micros FROM rounds o
      WHERE o.player_id = g.player_id AND o.game_id = g.game_id AND o.closed_at IS NULL LIMIT 1
    ) r ON true
    -- The account that the bet came from, also when the player has come back in another currency.
    LEFT JOIN accounts payee ON payee.id = r.account_id
    LEFT JOIN accounts house ON house.operator_id = payee.operator_id AND house.kind = 'house' AND house.currency = payee.currency
  ), closed AS (
    UPDATE rounds r SET closed_at = _now FROM judged j WHERE j.outcome = 'closed' AND r.id = j.round_id
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
    FROM judged j WHERE j.outcome IN ('closed', 'nothing_open') AND s.id = j.session_id
  )
  SELECT j.ordinal, j.outcome, j.round_id,
    CASE WHEN j.outcome = 'closed' AND j.account_id = j.own_account_id THEN j.own_balance + j.payout ELSE j.own_balance END
  FROM judged j;
END
$$;

-- Keeps one more action of the player in the open round, in order. Outcomes: recorded, or a refusal: maintenance, session,
-- login, location, no_active_round.
CREATE FUNCTION record_events(_player_ids bigint[], _session_ids bigint[], _events text[])
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
    SELECT c.*, r.id AS round_id,
      CASE WHEN g.refusal IS NOT NULL THEN g.refusal WHEN r.id IS NULL THEN 'no_active_round' ELSE 'recorded' END AS outcome
    FROM command c
    JOIN session_gates g ON g.session_id = c.session_id
    LEFT JOIN LATERAL (
      SELECT o.id FROM rounds o WHERE o.player_id = g.player_id AND o.game_id = g.game_id AND o.closed_at IS NULL LIMIT 1
    ) r ON true
  ), recorded AS (
    INSERT INTO round_events (round_id, seq, event, created_at)
    SELECT j.round_id,
      coalesce((SELECT e.seq FROM round_events e WHERE e.round_id = j.round_id ORDER BY e.seq DESC LIMIT 1), 0) + 1, j.event, _now
    FROM judged j WHERE j.outcome = 'recorded'
  ), touched AS (
    UPDATE sessions s SET last_active_at = _now
    FROM judged j WHERE j.outcome = 'recorded' AND s.id = j.session_id
  )
  SELECT j.ordinal, j.outcome FROM judged j;
END
$$;

-- Brings sessions to life and answers where each player stands. Outcomes: authenticated, or a refusal: maintenance, session,
-- login, location. round_id is the active round of the player and game, else the last one, else null.
CREATE FUNCTION authenticate_sessions(_player_ids bigint[], _session_ids bigint[])
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
    SELECT r.id FROM rounds r WHERE r.player_id = j.player_id AND r.game_id = j.game_id ORDER BY r.id DESC LIMIT 1
  ) FROM judged j;
END
$$;

-- Reads balances; extends nothing, because clients poll it. Outcomes: read, or a refusal.
CREATE FUNCTION read_balances(_session_ids bigint[])
RETURNS TABLE (ordinal bigint, outcome text, balance_micros bigint)
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT c.ordinal, coalesce(g.refusal, 'read'), a.balance_micros
  FROM unnest(_session_ids) WITH ORDINALITY AS c (session_id, ordinal)
  JOIN session_gates g ON g.session_id = c.session_id
  JOIN accounts a ON a.id = g.account_id;
END
$$;
