-- Judges bets that a grant may pay, and writes nothing: open_free_rounds acts on the outcome. A
-- command that names no grant is judged by an automatic one of its game, mode and amount: of
-- several, the one that expires first. The first row that applies is the outcome.
--
-- outcome        | when                                                 | what becomes of it
-- ---------------|------------------------------------------------------|--------------------------
-- key_reused     | the key has opened a round, not one of this grant    | ERR_VAL
-- (judge_bets)   | its outcome, when it is not opened                   | each has its code
-- grant_unknown  | the account has no such grant                        | ERR_VAL
-- grant_mismatch | the grant is for another game, mode or amount        | ERR_VAL
-- grant_over     | it has not begun, has ended, or has no round left    | ERR_VAL
-- grants_off     | the operator's wallet does not know free rounds      | ERR_VAL
-- opened         | nothing refuses the bet, and the grant has the round | open_free_rounds opens it
--
-- grant_id is the operator's id of the grant, grant_row_id ours. decision 026: the player pays
-- nothing, so no limit judges the bet. Without debits judge_bets applies none.
CREATE FUNCTION judge_free_bets(
  _session_row_id bigint[], _mode text[], _amount bigint[], _minimum_round_duration_ms bigint[],
  _play_key text[], _wallet_down boolean[], _fair_client_seed_id bigint[], _fair_nonce bigint[], _grant_id text[],
  _now timestamptz, _today date
) RETURNS TABLE (
  ordinal bigint, outcome text, round_id bigint, session_id bigint, player_id bigint,
  account_id bigint, account_ctid tid, game_id integer, game_version_id integer, country text,
  balance_micros bigint, wagered_today bigint, large_win bigint,
  active_session_id bigint, active_at timestamptz, fair_seed_id bigint,
  grant_row_id bigint, grant_id text, paid_at_end boolean
)
LANGUAGE sql STABLE
AS $$
  SELECT j.ordinal, judged.outcome, j.round_id, j.session_id, j.player_id,
    j.account_id, j.account_ctid, j.game_id, j.game_version_id, j.country,
    j.balance_micros, j.wagered_today, j.large_win,
    j.active_session_id, j.active_at, j.fair_seed_id,
    g.id, g.external_id, g.paid_at_end
  FROM judge_bets(_session_row_id, _mode, _amount, '{}', _minimum_round_duration_ms, _play_key, _wallet_down,
    _fair_client_seed_id, _fair_nonce, _now, _today, false) j
  -- The named grant, or the automatic one that expires first.
  LEFT JOIN LATERAL (
    SELECT *
    FROM (
      SELECT *,
        state IN ('offered', 'accepted') AND "left" > 0 AND starts_at <= _now AND expires_at > _now AS is_open,
        j.game_id = ANY (game_ids) AND (mode, amount_micros) = (_mode[j.ordinal], _amount[j.ordinal]) AS fits
      FROM grants
      WHERE account_id = j.account_id
    ) g
    WHERE CASE
      WHEN _grant_id[j.ordinal] IS NOT NULL THEN g.external_id = _grant_id[j.ordinal]
      ELSE g.automatic AND g.is_open AND g.fits
    END
    ORDER BY g.expires_at, g.id LIMIT 1
  ) g ON true
  -- OFFSET keeps the CASE one expression, as in judge_bets.
  CROSS JOIN LATERAL (
    SELECT CASE
      -- A repeated key of a round that has another grant, or none.
      WHEN j.outcome = 'replayed' AND _grant_id[j.ordinal] IS NOT NULL
        AND ((SELECT r.grant_id FROM rounds r WHERE r.id = j.round_id) = g.id) IS NOT TRUE
        THEN 'key_reused'
      WHEN j.outcome <> 'opened' THEN j.outcome
      -- The grant.
      WHEN g.id IS NULL THEN 'grant_unknown'
      WHEN NOT g.fits THEN 'grant_mismatch'
      WHEN NOT g.is_open THEN 'grant_over'
      -- The wallet.
      WHEN NOT (SELECT o.free_rounds OR o.wallet = 'house' FROM operators o WHERE o.id = j.operator_id)
        THEN 'grants_off'
      ELSE 'opened'
    END AS outcome
    OFFSET 0
  ) judged
$$;
