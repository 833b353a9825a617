-- The seamless wallet: the operator keeps the money, and the server asks it over HTTP to take and to pay.
--
-- Every movement is a row of wallet_calls that is committed before the call is made. Between the two the process may die, so a row
-- that is still pending when its due_at has come belongs to recovery, on whatever node that runs. A round's wallet_state says how
-- far its money is; NULL is the house wallet, where round and money move in one transaction.

CREATE TYPE wallet_kind AS ENUM ('house', 'seamless');
CREATE TYPE wallet_state AS ENUM ('debit_pending', 'debited', 'credit_pending', 'credited', 'void');
CREATE TYPE wallet_call_kind AS ENUM ('debit', 'credit', 'rollback');
-- abandoned: a debit whose answer never came; its rollback says what became of it.
CREATE TYPE wallet_call_state AS ENUM ('pending', 'accepted', 'refused', 'abandoned', 'parked');

-- secrets: the first one signs, all of them verify; two while one is exchanged for the next.
ALTER TABLE operators
  ADD COLUMN wallet            wallet_kind NOT NULL DEFAULT 'house',
  ADD COLUMN wallet_url        text,
  ADD COLUMN wallet_timeout_ms integer     NOT NULL DEFAULT 5000,
  ADD COLUMN secrets           text[]      NOT NULL DEFAULT '{}',
  ADD COLUMN currencies        text[]      NOT NULL DEFAULT '{}',
  ADD COLUMN default_game      text,
  ADD COLUMN is_default        boolean     NOT NULL DEFAULT false,
  ADD CONSTRAINT operators_wallet_timeout_in_range CHECK (wallet_timeout_ms BETWEEN 100 AND 60000),
  ADD CONSTRAINT operators_two_secrets_at_most CHECK (cardinality(secrets) <= 2),
  ADD CONSTRAINT operators_seamless_can_be_called CHECK (wallet = 'house' OR (wallet_url IS NOT NULL AND cardinality(secrets) > 0));
CREATE UNIQUE INDEX operators_one_default ON operators (is_default) WHERE is_default;

-- What no player of the operator may exceed; a player's own limits (accounts) can only be narrower.
CREATE TABLE operator_limits (
  operator_id              integer NOT NULL REFERENCES operators (id),
  currency                 text    NOT NULL,
  max_bet_micros           bigint,
  daily_wager_limit_micros bigint,
  daily_loss_limit_micros  bigint,
  PRIMARY KEY (operator_id, currency),
  CONSTRAINT operator_limits_not_negative CHECK (max_bet_micros >= 0 AND daily_wager_limit_micros >= 0 AND daily_loss_limit_micros >= 0)
);

-- A launch that an operator asked for, until its session authenticates for the first time: only then is the player known for good.
-- sealed_token is the operator's token, encrypted under a key that only the bearer of the sessionID has.
CREATE TABLE launches (
  token_sha256    bytea       NOT NULL PRIMARY KEY,
  operator_id     integer     NOT NULL REFERENCES operators (id),
  game_version_id integer     NOT NULL REFERENCES game_versions (id),
  currency        text        NOT NULL,
  external_id     text,
  country         text,
  jurisdiction    jsonb       NOT NULL,
  sealed_token    bytea       NOT NULL,
  revoked         boolean     NOT NULL DEFAULT false,
  created_at      timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz NOT NULL
);

ALTER TABLE accounts
  DROP CONSTRAINT accounts_only_players_keep_a_balance,
  ADD CONSTRAINT accounts_only_players_keep_a_balance CHECK ((kind = 'player') = (player_id IS NOT NULL) AND (kind = 'player' OR balance_micros IS NULL));

ALTER TABLE transfers
  DROP CONSTRAINT transfers_round_named_for_bets_and_payouts,
  ADD CONSTRAINT transfers_round_named_for_bets_and_payouts CHECK ((kind IN ('bet', 'payout', 'refund')) = (round_id IS NOT NULL));

ALTER TABLE rounds ADD COLUMN wallet_state wallet_state;
-- For lists of a time; both tables grow in the order of their times, so a block range is a few bytes a megabyte.
CREATE INDEX rounds_opened_at_idx ON rounds USING brin (opened_at) WITH (autosummarize = on);

-- A round has at most one call of each kind because the index says so. due_at: when recovery takes over, if nobody has settled it.
-- retry_until: when recovery gives up repeating, and parks it for a person.
CREATE TABLE wallet_calls (
  id            uuid              NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
  kind          wallet_call_kind  NOT NULL,
  round_id      bigint            NOT NULL,
  amount_micros bigint            NOT NULL,
  state         wallet_call_state NOT NULL DEFAULT 'pending',
  attempts      integer           NOT NULL DEFAULT 0,
  answer        text,
  reason        text,
  due_at        timestamptz       NOT NULL,
  retry_until   timestamptz       NOT NULL,
  created_at    timestamptz       NOT NULL,
  settled_at    timestamptz,
  CONSTRAINT wallet_calls_amount_in_range CHECK (amount_micros BETWEEN 0 AND 9007199254740991),
  CONSTRAINT wallet_calls_only_a_credit_may_be_nothing CHECK (amount_micros > 0 OR kind = 'credit'),
  CONSTRAINT wallet_calls_settled_when_they_are CHECK ((settled_at IS NOT NULL) = (state IN ('accepted', 'refused', 'abandoned')))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX wallet_calls_round_id_kind_key ON wallet_calls (round_id, kind);
CREATE INDEX wallet_calls_created_at_idx ON wallet_calls USING brin (created_at) WITH (autosummarize = on);
CREATE INDEX wallet_calls_due ON wallet_calls (due_at) WHERE state = 'pending';
CREATE INDEX wallet_calls_parked ON wallet_calls (created_at) WHERE state = 'parked';

-- How long recovery leaves a call to the node that makes it, beyond the operator's time-out.
CREATE FUNCTION wallet_call_grace() RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '3 seconds' $$;

-- For how long a call is repeated before it is parked.
CREATE FUNCTION wallet_call_patience() RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '72 hours' $$;

-- When a call that failed is tried again: after pauses of 1 s, 2 s, 5 s, 10 s, 30 s, 1 min, 2 min, 5 min, 10 min, 30 min, then every
-- hour. Reckoned from its beginning and not from the number of attempts, because a player who ends a round again and again must not
-- put the next attempt of recovery off.
CREATE FUNCTION wallet_call_next_due(_created_at timestamptz, _now timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(
    (SELECT min(_created_at + make_interval(secs => s)) FROM unnest(ARRAY[1, 3, 8, 18, 48, 108, 228, 528, 1128, 2928]) AS s
     WHERE _created_at + make_interval(secs => s) > _now),
    _now + interval '1 hour')
$$;

-- With what the seamless wallet needs: the operator's time-out.
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
JOIN operators o ON o.id = p.operator_id
JOIN game_versions v ON v.id = s.game_version_id
JOIN games g ON g.id = v.game_id
CROSS JOIN LATERAL (
  SELECT max(w.level) AS level FROM maintenance w
  WHERE w.scope = 'server' OR (w.scope = 'operator' AND w.target = o.code) OR (w.scope = 'game' AND w.target = g.code)
) m
CROSS JOIN LATERAL (
  SELECT (cardinality(o.allowed_countries) = 0 OR coalesce(coalesce(s.country, p.country) = ANY (o.allowed_countries), false))
     AND coalesce(coalesce(s.country, p.country) <> ALL (o.blocked_countries), true) AS located
) c;

-- Opens a round. House wallet: debits its bet. Seamless wallet (an account without a balance): writes the debit that the operator is
-- then asked for, and answers its id. Outcomes: opened, replayed (the same key was played before: round_id is that round), or a
-- refusal: maintenance, session, login, location, key_reused, given_back (the operator has undone the round of this key),
-- bet_refused, round_active, settling (money of an earlier round is on its way), too_early, bet_limit, wager_limit, loss_limit,
-- balance, wallet_down. bet_refused and wallet_down are what the caller has found out; they are answered only when nothing before
-- them applies.
DROP FUNCTION open_rounds;
CREATE FUNCTION open_rounds(
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
  WITH command AS MATERIALIZED (
    SELECT * FROM unnest(_session_ids, _modes, _cost_multipliers, _amounts, _debits, _book_ids, _payout_multipliers, _payouts,
      _auto_closes, _minimum_durations_ms, _play_keys, _bets_refused, _wallets_down)
    WITH ORDINALITY AS c (session_id, mode, cost_multiplier, amount, debit, book_id, payout_multiplier, payout,
      auto_close, minimum_duration_ms, play_key, bet_refused, wallet_down, ordinal)
  ), judged AS MATERIALIZED (
    SELECT c.*, g.player_id, g.account_id, g.game_id, g.game_version_id, g.wallet_timeout_ms, a.balance_micros,
      a.balance_micros IS NULL AS is_seamless, house.id AS house_account_id,
      earlier.id AS earlier_round_id,
      t.wagered_today, t.won_today,
      CASE
        WHEN g.maintenance = 'no_new_rounds' AND earlier.id IS NULL THEN 'maintenance'
        WHEN g.refusal IS NOT NULL THEN g.refusal
        WHEN earlier.id IS NOT NULL AND (earlier.amount_micros, earlier.mode) IS DISTINCT FROM (c.amount, c.mode) THEN 'key_reused'
        WHEN earlier.wallet_state = 'debit_pending' THEN 'settling'
        WHEN earlier.wallet_state = 'void' THEN 'given_back'
        WHEN earlier.id IS NOT NULL THEN 'replayed'
        WHEN c.bet_refused THEN 'bet_refused'
        WHEN active.id IS NOT NULL THEN CASE WHEN active.wallet_state = 'debit_pending' THEN 'settling' ELSE 'round_active' END
        WHEN c.minimum_duration_ms > 0 AND (
          SELECT r.opened_at FROM rounds r
          WHERE r.player_id = g.player_id AND r.game_id = g.game_id AND r.wallet_state IS DISTINCT FROM 'void' ORDER BY r.id DESC LIMIT 1
        ) + c.minimum_duration_ms * interval '1 millisecond' > _now THEN 'too_early'
        WHEN c.debit > own.max_bet_micros THEN 'bet_limit'
        WHEN t.wagered_today + c.debit > least(a.daily_wager_limit_micros, own.daily_wager_limit_micros) THEN 'wager_limit'
        WHEN t.wagered_today - t.won_today + c.debit > least(a.daily_loss_limit_micros, own.daily_loss_limit_micros) THEN 'loss_limit'
        WHEN a.balance_micros < c.debit THEN 'balance'
        WHEN c.wallet_down AND a.balance_micros IS NULL THEN 'wallet_down'
        ELSE 'opened'
      END AS outcome
    FROM command c
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
      WHERE r.session_id = c.session_id AND r.play_key = c.play_key LIMIT 1
    ) earlier ON true
    LEFT JOIN LATERAL (
      SELECT r.id, r.wallet_state FROM rounds r
      WHERE r.player_id = g.player_id AND r.game_id = g.game_id AND r.closed_at IS NULL LIMIT 1
    ) active ON true
  ), numbered AS MATERIALIZED (
    SELECT j.*, CASE WHEN j.outcome = 'opened' THEN nextval('rounds_id_seq') ELSE j.earlier_round_id END AS round_id,
      CASE WHEN j.outcome = 'opened' AND j.is_seamless THEN gen_random_uuid() END AS debit_id
    FROM judged j
  ), opened AS (
    INSERT INTO rounds (id, player_id, game_id, game_version_id, session_id, account_id, mode, cost_multiplier, amount_micros,
      debit_micros, book_id, payout_multiplier, payout_micros, play_key, opened_at, closed_at, wallet_state)
    SELECT n.round_id, n.player_id, n.game_id, n.game_version_id, n.session_id, n.account_id, n.mode, n.cost_multiplier, n.amount,
      n.debit, n.book_id, n.payout_multiplier, n.payout, n.play_key, _now,
      CASE WHEN n.auto_close AND n.payout = 0 AND NOT n.is_seamless THEN _now END,
      CASE WHEN n.is_seamless THEN 'debit_pending'::wallet_state END
    FROM numbered n WHERE n.outcome = 'opened'
  ), moved AS (
    INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
    SELECT 'bet', n.account_id, n.house_account_id, n.debit, n.round_id, _now
    FROM numbered n WHERE n.outcome = 'opened' AND NOT n.is_seamless
  ), asked AS (
    INSERT INTO wallet_calls (id, kind, round_id, amount_micros, due_at, retry_until, created_at)
    SELECT n.debit_id, 'debit', n.round_id, n.debit, _now + n.wallet_timeout_ms * interval '1 millisecond' + wallet_call_grace(),
      _now + wallet_call_patience(), _now
    FROM numbered n WHERE n.debit_id IS NOT NULL
  ), debited AS (
    UPDATE accounts a SET balance_micros = n.balance_micros - n.debit, counted_on = _today,
      wagered_today_micros = n.wagered_today + n.debit, won_today_micros = n.won_today
    FROM numbered n WHERE n.outcome = 'opened' AND a.id = n.account_id
  ), touched AS (
    UPDATE sessions s SET last_active_at = _now
    FROM numbered n WHERE n.outcome IN ('opened', 'replayed') AND s.id = n.session_id
  )
  SELECT n.ordinal, n.outcome, n.round_id,
    CASE WHEN n.outcome = 'opened' THEN n.balance_micros - n.debit ELSE n.balance_micros END, n.debit_id
  FROM numbered n;
END
$$;

-- Completes the open round of the session's player and game. House wallet: credits its payout. Seamless wallet: writes the credit
-- that the operator is then asked for (the same one again when it is there), and answers its id; the round stays open until the
-- operator has accepted it. Outcomes: closed, owed (credit_id is to be sent), nothing_open (the last round is already completed:
-- pays nothing), or a refusal: maintenance, session, login, location, never_played, settling, balance_overflow (the balance would
-- leave the range of money; the round stays open).
DROP FUNCTION close_rounds;
CREATE FUNCTION close_rounds(_player_ids bigint[], _session_ids bigint[])
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
    SELECT c.ordinal, c.session_id, g.player_id, own.balance_micros AS own_balance, g.account_id AS own_account_id,
      g.wallet_timeout_ms, r.id AS round_id, r.payout_micros AS payout, r.account_id, r.wallet_state,
      house.id AS house_account_id,
      CASE
        WHEN g.refusal IS NOT NULL THEN g.refusal
        WHEN r.wallet_state = 'debit_pending' THEN 'settling'
        WHEN r.wallet_state IS NOT NULL THEN 'owed'
        WHEN r.id IS NOT NULL AND payee.balance_micros > 9007199254740991 - r.payout_micros THEN 'balance_overflow'
        WHEN r.id IS NOT NULL THEN 'closed'
        WHEN EXISTS (
          SELECT 1 FROM rounds e WHERE e.player_id = g.player_id AND e.game_id = g.game_id AND e.wallet_state IS DISTINCT FROM 'void'
        ) THEN 'nothing_open'
        ELSE 'never_played'
      END AS outcome
    FROM command c
    JOIN session_gates g ON g.session_id = c.session_id
    JOIN accounts own ON own.id = g.account_id
    LEFT JOIN LATERAL (
      SELECT o.id, o.account_id, o.payout_micros, o.wallet_state FROM rounds o
      WHERE o.player_id = g.player_id AND o.game_id = g.game_id AND o.closed_at IS NULL LIMIT 1
    ) r ON true
    -- The account that the bet came from, also when the player has come back in another currency.
    LEFT JOIN accounts payee ON payee.id = r.account_id
    LEFT JOIN accounts house ON house.operator_id = payee.operator_id AND house.kind = 'house' AND house.currency = payee.currency
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
    CASE WHEN j.outcome = 'closed' AND j.account_id = j.own_account_id THEN j.own_balance + j.payout ELSE j.own_balance END,
    CASE WHEN j.outcome = 'owed' THEN coalesce(
      (SELECT k.id FROM asked k WHERE k.round_id = j.round_id),
      (SELECT w.id FROM wallet_calls w WHERE w.round_id = j.round_id AND w.kind = 'credit')
    ) END
  FROM judged j;
END
$$;

-- Writes down what became of calls to operators' wallets, and does to each round what follows. Verdicts:
--   debit     accepted: the round is debited; with auto_close a round that pays nothing is closed, and the credit of nothing that tells
--             the operator so is written. refused: certainly nothing moved, the round is void. uncertain: the round is void, and a
--             rollback is written.
--   credit    accepted: the round is closed. failed: repeated after a pause, or parked when its time is over.
--   rollback  accepted: done. failed: as a credit.
-- Outcomes: settled, or late: somebody else has settled it, and nothing was changed. next_id is the call that was written, if any.
CREATE FUNCTION settle_wallet_calls(
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
      attempts = c.attempts, answer = c.answer
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

-- Gives an open bet back: closes the round without a payout. House wallet: a refund. Seamless wallet: a rollback for recovery to
-- send. Outcomes: void (also when it was before), unknown (no such round of this operator), paid (settled, or its payout is under
-- way), settling (the debit is not answered yet).
CREATE FUNCTION void_round(_operator_id integer, _round_id bigint, _reason text) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _now timestamptz;
  _round record;
BEGIN
  PERFORM 1 FROM accounts a JOIN rounds r ON r.player_id = a.player_id
  WHERE r.id = _round_id AND a.operator_id = _operator_id ORDER BY a.id FOR NO KEY UPDATE OF a;
  _now := clock_timestamp();
  SELECT r.*, a.balance_micros, a.operator_id, a.currency, (r.opened_at AT TIME ZONE 'UTC')::date = (_now AT TIME ZONE 'UTC')::date AS is_of_today
  INTO _round FROM rounds r JOIN accounts a ON a.id = r.account_id WHERE r.id = _round_id AND a.operator_id = _operator_id;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  IF _round.wallet_state = 'void' THEN RETURN 'void'; END IF;
  IF _round.wallet_state = 'debit_pending' THEN RETURN 'settling'; END IF;
  IF _round.closed_at IS NOT NULL OR _round.wallet_state = 'credit_pending' THEN RETURN 'paid'; END IF;

  IF _round.wallet_state IS NULL THEN
    INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
    SELECT 'refund', house.id, _round.account_id, _round.debit_micros, _round_id, _now FROM accounts house
    WHERE house.operator_id = _operator_id AND house.kind = 'house' AND house.currency = _round.currency;
  ELSE
    INSERT INTO wallet_calls (kind, round_id, amount_micros, reason, due_at, retry_until, created_at)
    VALUES ('rollback', _round_id, _round.debit_micros, _reason, _now, _now + wallet_call_patience(), _now);
  END IF;
  -- The key stays with a round that was played: a repeated play must not become a new bet behind the operator's back.
  UPDATE rounds SET wallet_state = 'void', closed_at = _now WHERE id = _round_id;
  UPDATE accounts a SET
    balance_micros = a.balance_micros + _round.debit_micros,
    wagered_today_micros = a.wagered_today_micros - CASE WHEN _round.is_of_today THEN _round.debit_micros ELSE 0 END
  WHERE a.id = _round.account_id;
  RETURN 'void';
END
$$;

-- Hands calls that are due to recovery, each for the time that one attempt may take: when that recovery dies too, they are due again.
CREATE FUNCTION take_due_wallet_calls(_limit integer) RETURNS SETOF uuid
LANGUAGE sql VOLATILE
AS $$
  UPDATE wallet_calls w SET due_at = clock_timestamp() + due.lease
  FROM (
    SELECT c.id, o.wallet_timeout_ms * interval '1 millisecond' + wallet_call_grace() AS lease
    FROM wallet_calls c
    JOIN rounds r ON r.id = c.round_id
    JOIN accounts a ON a.id = r.account_id
    JOIN operators o ON o.id = a.operator_id
    WHERE c.state = 'pending' AND c.due_at <= clock_timestamp()
    ORDER BY c.due_at LIMIT _limit
    FOR UPDATE OF c SKIP LOCKED
  ) due
  WHERE w.id = due.id
  RETURNING w.id
$$;

-- As before, but an action belongs to a round whose bet was taken.
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
    SELECT c.*, r.id AS round_id,
      CASE WHEN g.refusal IS NOT NULL THEN g.refusal WHEN r.id IS NULL THEN 'no_active_round' ELSE 'recorded' END AS outcome
    FROM command c
    JOIN session_gates g ON g.session_id = c.session_id
    LEFT JOIN LATERAL (
      SELECT o.id FROM rounds o
      WHERE o.player_id = g.player_id AND o.game_id = g.game_id AND o.closed_at IS NULL
        AND o.wallet_state IS DISTINCT FROM 'debit_pending' LIMIT 1
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

-- As before, but a round whose bet was not taken, or given back, is none that a player has played.
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
    WHERE r.player_id = j.player_id AND r.game_id = j.game_id
      AND (r.wallet_state IS NULL OR r.wallet_state NOT IN ('debit_pending', 'void'))
    ORDER BY r.id DESC LIMIT 1
  ) FROM judged j;
END
$$;
