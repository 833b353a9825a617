-- Rolls a bet back. It needs no session. Before its debit, it bars the debit for ever. Its id is
-- stored also when it has nothing to return, as of a free round. wallet/outcome.ts says a refusal
-- by its code; refusal is NULL on success.
--
-- refusal                  | when                                             | what becomes of it
-- -------------------------|--------------------------------------------------|-------------------
-- other_content            | the transactionID was used for something else    | ERR_DUP
-- debit_unknown_and_barred | there is no such debit, and none may come        | ERR_BNF
-- debit_of_another         | it is of another round, player, game or currency | ERR_VAL
-- round_paid               | the round has been paid, or its grant            | ERR_VAL
-- balance_full             | the balance cannot hold the amount               | ERR_GE
--
-- A repetition returns the balance of now and moves nothing; then moved_account_id is NULL.
CREATE FUNCTION return_bet(
  _transaction_id uuid, _debit_transaction_id uuid, _player_id text, _currency text, _round_id text, _game_id text,
  OUT refusal text, OUT balance bigint, OUT moved_account_id bigint
)
LANGUAGE plpgsql
AS $$
DECLARE
  _account record;
  _known transactions;
  _bet_state bet_state;
  _debit transactions;
  _returned bigint := 0;
BEGIN
  -- Reads after this lock stay true until the end of the database transaction.
  SELECT a.id, a.balance_micros, h.id AS house_id INTO _account
  FROM players p
  JOIN accounts a ON a.player_id = p.id AND a.currency = _currency
  JOIN accounts h ON h.kind = 'house' AND h.currency = _currency
  WHERE p.external_id = _player_id
  FOR NO KEY UPDATE OF a;

  SELECT b.state INTO _bet_state
  FROM bets b
  WHERE b.debit_id = _debit_transaction_id;
  SELECT * INTO _known
  FROM transactions t
  WHERE t.transaction_id = _transaction_id;
  IF FOUND THEN
    balance := _account.balance_micros;
    refusal := CASE
      WHEN (_known.kind, _known.player_account_id, _known.debit_id, _known.round_id, _known.game_id)
        IS DISTINCT FROM ('rollback'::transaction_kind, _account.id, _debit_transaction_id, _round_id, _game_id)
        THEN 'other_content'
      WHEN _bet_state = 'barred' THEN 'debit_unknown_and_barred'
    END;
    RETURN;
  END IF;

  IF _bet_state IS NULL THEN
    INSERT INTO bets (debit_id, state) VALUES (_debit_transaction_id, 'barred');
    _bet_state := 'barred';
  END IF;
  IF _bet_state = 'barred' THEN
    refusal := 'debit_unknown_and_barred';
    -- An unknown player has no account for the entry.
    IF _account.id IS NULL THEN RETURN; END IF;
  ELSE
    SELECT * INTO _debit
    FROM transactions t
    WHERE t.transaction_id = _debit_transaction_id;
    IF _bet_state = 'open' THEN _returned := _debit.amount_micros; END IF;
    refusal := CASE
      WHEN (_debit.player_account_id, _debit.round_id, _debit.game_id)
        IS DISTINCT FROM (_account.id, _round_id, _game_id)
        THEN 'debit_of_another'
      WHEN _bet_state IN ('credited', 'closed') THEN 'round_paid'
      WHEN EXISTS (SELECT FROM transactions t WHERE t.debit_id = _debit_transaction_id AND t.grant_closed)
        THEN 'round_paid'
      WHEN _account.balance_micros > 9007199254740991 - _returned THEN 'balance_full'
    END;
    IF refusal IS NOT NULL THEN RETURN; END IF;
  END IF;

  balance := _account.balance_micros + _returned;
  IF _returned > 0 THEN UPDATE accounts SET balance_micros = balance WHERE id = _account.id; END IF;
  IF _bet_state = 'open' THEN UPDATE bets SET state = 'rolled_back' WHERE debit_id = _debit_transaction_id; END IF;
  INSERT INTO transactions (transaction_id, kind, from_account_id, to_account_id, amount_micros, player_account_id,
    balance_after_micros, debit_id, round_id, game_id)
  VALUES (_transaction_id, 'rollback', _account.house_id, _account.id, _returned, _account.id,
    balance, _debit_transaction_id, _round_id, _game_id);
  moved_account_id := _account.id;
END
$$;
