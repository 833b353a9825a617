-- Debits a bet. It looks for a repetition first, because its session may have ended since. The
-- limit comes before the balance, as in the game protocol. A free round (_grant_id) has the amount
-- 0 and counts for no limit. A debit with _round_closed closes its round, which may still be rolled
-- back. wallet/outcome.ts says a refusal by its code; refusal is NULL on success.
--
-- refusal             | when                                          | what becomes of it
-- --------------------|-----------------------------------------------|-------------------
-- other_content       | the transactionID was used for something else | ERR_DUP
-- rolled_back_before  | return_bet has barred the debit               | ERR_VAL
-- (session_refusal)   | the session may not play                      | each has its code
-- session_of_another  | it is of another account or game              | ERR_VAL
-- loss_limit_exceeded | the daily loss limit would be exceeded        | ERR_GLE
-- balance_too_low     | the balance does not cover the bet            | ERR_IPB
--
-- A repetition returns the balance of now and moves nothing; then moved_account_id is NULL.
CREATE FUNCTION take_bet(
  _transaction_id uuid, _player_id text, _currency text, _round_id text, _game_id text, _mode text, _amount bigint,
  _grant_id text, _free_bet bigint, _round_closed boolean, _session_sha256 bytea, _session_timeout_ms bigint,
  _blocked_countries text,
  OUT refusal text, OUT balance bigint, OUT moved_account_id bigint
)
LANGUAGE plpgsql
AS $$
DECLARE
  _account record;
  _known transactions;
  _session live_sessions;
BEGIN
  -- Reads after this lock stay true until the end of the database transaction.
  SELECT a.id, a.balance_micros, a.daily_loss_limit_micros, h.id AS house_id INTO _account
  FROM players p
  JOIN accounts a ON a.player_id = p.id AND a.currency = _currency
  JOIN accounts h ON h.kind = 'house' AND h.currency = _currency
  WHERE p.external_id = _player_id
  FOR NO KEY UPDATE OF a;

  SELECT * INTO _known
  FROM transactions t
  WHERE t.transaction_id = _transaction_id;
  IF FOUND THEN
    balance := _account.balance_micros;
    IF (_known.kind, _known.player_account_id, _known.amount_micros,
        _known.round_id, _known.game_id, _known.mode, _known.grant_id, _known.free_bet_micros, _known.round_closed)
      IS DISTINCT FROM ('debit'::transaction_kind, _account.id, _amount,
        _round_id, _game_id, _mode, _grant_id, _free_bet, _round_closed)
    THEN
      refusal := 'other_content';
    END IF;
    RETURN;
  END IF;
  -- A bet in another state is being written by another player: then the INSERT conflicts.
  PERFORM FROM bets b WHERE b.debit_id = _transaction_id AND b.state = 'barred';
  IF FOUND THEN refusal := 'rolled_back_before'; RETURN; END IF;

  SELECT * INTO _session
  FROM live_sessions s
  WHERE s.session_sha256 = _session_sha256;
  refusal := CASE
    WHEN session_refusal(_session, _blocked_countries) IS NOT NULL THEN session_refusal(_session, _blocked_countries)
    WHEN (_session.account_id, _session.game_id) IS DISTINCT FROM (_account.id, _game_id) THEN 'session_of_another'
    WHEN _grant_id IS NULL AND exceeds_daily_loss(_account.id, _amount, _account.daily_loss_limit_micros)
      THEN 'loss_limit_exceeded'
    WHEN _amount > _account.balance_micros THEN 'balance_too_low'
  END;
  IF refusal IS NOT NULL THEN RETURN; END IF;

  balance := _account.balance_micros - _amount;
  INSERT INTO bets (debit_id, state, account_id)
  VALUES (_transaction_id, 'open', _account.id);
  UPDATE accounts SET balance_micros = balance WHERE id = _account.id;
  INSERT INTO transactions (transaction_id, kind, from_account_id, to_account_id, amount_micros, player_account_id,
    balance_after_micros, round_id, game_id, mode, grant_id, free_bet_micros, round_closed)
  VALUES (_transaction_id, 'debit', _account.id, _account.house_id, _amount, _account.id,
    balance, _round_id, _game_id, _mode, _grant_id, _free_bet, _round_closed);
  UPDATE sessions
  SET expires_at = now() + _session_timeout_ms * interval '1 millisecond'
  WHERE session_sha256 = _session_sha256;
  moved_account_id := _account.id;
END
$$;
