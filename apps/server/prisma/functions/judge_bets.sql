-- Judges bets and writes nothing: open_rounds, open_free_rounds and refuse_bets act on the outcome.
-- The first row that applies is the outcome. base/http/responses.ts has the code of each refusal.
--
-- outcome            | when                                                    | what becomes of it
-- -------------------|---------------------------------------------------------|-------------------
-- BEFORE THE RULES   |                                                         |
-- server_maintenance | the player is being moved                               | ERR_MAINTENANCE
-- …_maintenance      | a switch of its scope bars new rounds                   | ERR_MAINTENANCE
-- game_maintenance   | the version is withdrawn, or the mode closed            | ERR_MAINTENANCE
-- (session_refusals) | the session is refused                                  | each has its code
-- key_reused         | the play key has opened a round with another bet        | ERR_VAL
-- round_settling     | the debit of the round of this key has no result yet    | ERR_GEN
-- round_voided       | the operator voided the round of this key               | ERR_VAL
-- replayed           | the key has opened round_id, with the same bet          | play returns it
-- THE RULES          |                                                         |
-- free_round         | _automatic: an automatic grant may pay the bet          | open_free_rounds
-- stake_limit        | the debit is above the maximum stake of the session     | ERR_VAL
-- round_settling     | the debit of the open round has no result yet           | ERR_GEN
-- round_active       | a round of this account and game is open                | ERR_VAL
-- too_early          | the minimum duration of the last round is not over      | ERR_VAL
-- bet_limit          | the debit is above the operator's limit                 | ERR_GLE
-- wager_limit        | a limit of the day's bets would be exceeded             | ERR_GLE
-- loss_limit         | a limit of the day's losses would be exceeded           | ERR_GLE
-- balance_too_low    | the house wallet holds less than the debit              | ERR_IPB
-- wallet_down        | _wallet_down: the node gets no response from the wallet | ERR_GEN
-- nonce_moved        | the account has another client seed or nonce by now     | play draws again
-- opened             | nothing refuses the bet                                 | open_rounds writes
--
-- outcome_before_rules is NULL when only the rules judge. An empty _debit leaves out the limits. A
-- debit of large_debit or more makes the bet, or the sum of the day, large.
--
-- Read it from FROM on: first what is known of a command (c), then before_rules, then judged.
--
-- decision 002: the function is one query in SQL, so the planner puts the query in place of the
-- call. It reads the columns of a command from their arrays by its ordinal: in every join they were
-- the widest part of each row.
CREATE FUNCTION judge_bets(
  _session_row_id bigint[], _mode text[], _amount bigint[], _debit bigint[], _minimum_round_duration_ms bigint[],
  _play_key text[], _wallet_down boolean[], _fair_client_seed_id bigint[], _fair_nonce bigint[],
  _now timestamptz, _today date, _automatic boolean
) RETURNS TABLE (
  ordinal bigint, outcome text, outcome_before_rules text, round_id bigint, session_id bigint, player_id bigint,
  account_id bigint, account_ctid tid, house_account_id bigint, operator_id integer,
  game_id integer, game_version_id integer, currency text, country text,
  balance_micros bigint, wagered_today bigint, won_today bigint, large_debit bigint, large_win bigint,
  active_session_id bigint, active_at timestamptz, fair_seed_id bigint
)
LANGUAGE sql STABLE
AS $$
  SELECT c.ordinal, judged.outcome, before_rules.outcome, earlier.id, c.session_id, s.player_id,
    s.account_id, s.account_ctid, s.house_account_id, s.operator_id,
    s.game_id, s.game_version_id, s.currency, s.country,
    s.balance_micros, today.wagered, today.won, large.debit, limits.large_win_micros,
    s.active_session_id, s.active_at, s.fair_seed_id
  FROM unnest(_session_row_id) WITH ORDINALITY AS c (session_id, ordinal)

  -- WHAT IS KNOWN. The bet.
  CROSS JOIN LATERAL (
    SELECT _mode[c.ordinal] AS mode, _amount[c.ordinal] AS amount, _debit[c.ordinal] AS debit,
      _minimum_round_duration_ms[c.ordinal] AS minimum_ms,
      _play_key[c.ordinal] AS play_key, _wallet_down[c.ordinal] AS wallet_down,
      _fair_client_seed_id[c.ordinal] AS fair_client_seed_id, _fair_nonce[c.ordinal] AS fair_nonce
  ) bet
  -- s is the session with its account, v the version of its game.
  JOIN session_refusals s ON s.session_id = c.session_id
  CROSS JOIN LATERAL (SELECT withdrawn_at FROM game_versions WHERE id = s.game_version_id LIMIT 1) v
  -- The limits of the operator, and what the player has wagered and won today.
  LEFT JOIN operator_limits limits ON limits.operator_id = s.operator_id AND limits.currency = s.currency
  CROSS JOIN LATERAL (
    SELECT of_today(s.counted_on, _today, s.wagered_today_micros) AS wagered,
      of_today(s.counted_on, _today, s.won_today_micros) AS won
  ) today
  CROSS JOIN LATERAL (
    SELECT least(
      limits.large_bet_micros,
      CASE WHEN today.wagered < limits.large_daily_wager_micros
        THEN limits.large_daily_wager_micros - today.wagered END
    ) AS debit
  ) large
  -- The round that this key has opened before.
  LEFT JOIN LATERAL (
    SELECT r.id, r.amount_micros, r.mode, r.wallet_state
    FROM rounds r
    WHERE r.session_id = c.session_id AND r.play_key = bet.play_key
    LIMIT 1
  ) earlier ON true
  -- The open round of the account and game.
  LEFT JOIN LATERAL (
    SELECT r.id, r.wallet_state
    FROM rounds r
    WHERE r.account_id = s.account_id AND r.game_id = s.game_id AND r.ended_at IS NULL
    LIMIT 1
  ) active ON true

  -- BEFORE THE RULES. OFFSET keeps each CASE one expression; else the planner copies it to each
  -- use.
  CROSS JOIN LATERAL (
    SELECT CASE
      -- No new rounds. A play that repeats its key opens none, so it goes on below.
      WHEN earlier.id IS NULL AND s.is_moving THEN 'server_maintenance'
      WHEN earlier.id IS NULL AND s.maintenance = 'no_new_rounds' THEN s.maintenance_refusal
      WHEN earlier.id IS NULL
        AND (v.withdrawn_at <= _now OR (s.is_any_maintenance AND is_mode_closed(s.game_version_id, bet.mode)))
        THEN 'game_maintenance'
      -- The session.
      WHEN s.refusal IS NOT NULL THEN s.refusal
      -- A repeated key: of another bet, or of a round without a result, void, or played.
      WHEN earlier.id IS NOT NULL AND (earlier.amount_micros, earlier.mode) IS DISTINCT FROM (bet.amount, bet.mode)
        THEN 'key_reused'
      WHEN earlier.wallet_state = 'debit_pending' THEN 'round_settling'
      WHEN earlier.wallet_state = 'void' THEN 'round_voided'
      WHEN earlier.id IS NOT NULL THEN 'replayed'
    END AS outcome
    OFFSET 0
  ) before_rules

  -- THE RULES.
  CROSS JOIN LATERAL (
    SELECT coalesce(before_rules.outcome, CASE
      -- decision 026: a free round costs the player nothing, so its grant comes before every limit.
      WHEN _automatic AND s.has_automatic_grant THEN 'free_round'
      -- The stake that the session allows.
      WHEN bet.debit > s.max_stake_micros THEN 'stake_limit'
      -- A player has one round at a time in a game, and none too soon after the last one.
      WHEN active.wallet_state = 'debit_pending' THEN 'round_settling'
      WHEN active.id IS NOT NULL THEN 'round_active'
      WHEN bet.minimum_ms > 0
        AND last_opened_at(s.account_id, s.game_id) + bet.minimum_ms * interval '1 millisecond' > _now
        THEN 'too_early'
      -- Limits of the bet and of the day. The narrower one of player and operator holds.
      WHEN bet.debit > limits.max_bet_micros THEN 'bet_limit'
      WHEN today.wagered + bet.debit > least(s.daily_wager_limit_micros, limits.daily_wager_limit_micros)
        THEN 'wager_limit'
      WHEN today.wagered - today.won + bet.debit > least(s.daily_loss_limit_micros, limits.daily_loss_limit_micros)
        THEN 'loss_limit'
      -- The wallet. A seamless one has no balance here: the operator judges it.
      WHEN s.balance_micros < bet.debit THEN 'balance_too_low'
      WHEN bet.wallet_down AND s.balance_micros IS NULL THEN 'wallet_down'
      -- decision 031: another play has taken the nonce of this draw. No nonce is -1.
      WHEN bet.fair_nonce <> CASE WHEN bet.fair_client_seed_id = s.fair_client_seed_id THEN s.fair_nonce ELSE -1 END
        THEN 'nonce_moved'
      ELSE 'opened'
    END) AS outcome
    OFFSET 0
  ) judged
$$;
