-- Credits a round, or completes it with an amount of 0. It needs no session. With _grant_closed it
-- pays the winnings of a grant, once: they name the last round of the grant, and leave its state as
-- it is, because its closing may come later. wallet/outcome.ts says a refusal by its code; refusal
-- is NULL on success.
--
-- refusal                | when                                             | what becomes of it
-- -----------------------|--------------------------------------------------|-------------------
-- other_content          | the transactionID was used for something else    | ERR_DUP
-- debit_unknown          | there is no such debit                           | ERR_BNF
-- debit_of_another       | it is of another round, player, game or currency | ERR_VAL
-- debit_of_another_grant | it is of another grant, or of none               | ERR_VAL
-- debit_rolled_back      | the debit was rolled back                        | ERR_VAL
-- round_closed           | the round is closed, and this pays no winnings   | ERR_VAL
-- grant_paid             | the winnings of the grant have been paid         | ERR_VAL
-- balance_full           | the balance cannot hold the amount               | ERR_GE
--
-- A repetition returns the balance of now and moves nothing; then moved_account_id is NULL.
CREATE FUNCTION pay_round(
  _transaction_id uuid, _debit_transaction_id uuid, _player_id text, _currency text, _round_id text, _game_id text,
  _amount bigint, _round_closed boolean, _grant_id text, _grant_closed boolean,
  OUT refusal text, OUT balance bigint, OUT moved_account_id bigint
)
LANGUAGE plpgsql
AS $$
DECLARE
  _account record;
  _known transactions;
  _debit record;
  _is_winnings boolean := _grant_closed IS TRUE;
BEGIN
  -- Reads after this lock stay true until the end of the database transaction.
  SELECT a.id, a.balance_micros, h.id AS house_id INTO _account
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
    IF (_known.kind, _known.player_account_id, _known.amount_micros, _known.debit_id,
        _known.round_id, _known.game_id, _known.round_closed, _known.grant_id, _known.grant_closed)
      IS DISTINCT FROM ('credit'::transaction_kind, _account.id, _amount, _debit_transaction_id,
        _round_id, _game_id, _round_closed, _grant_id, _is_winnings)
    THEN
      refusal := 'other_content';
    END IF;
    RETURN;
  END IF;

  SELECT t.player_account_id, t.round_id, t.game_id, t.grant_id, t.round_closed, b.state INTO _debit
  FROM bets b
  JOIN transactions t ON t.transaction_id = b.debit_id
  WHERE b.debit_id = _debit_transaction_id;
  refusal := CASE
    WHEN NOT FOUND THEN 'debit_unknown'
    WHEN (_debit.player_account_id, _debit.round_id, _debit.game_id)
      IS DISTINCT FROM (_account.id, _round_id, _game_id)
      THEN 'debit_of_another'
    WHEN _debit.grant_id IS DISTINCT FROM _grant_id OR (_is_winnings AND _grant_id IS NULL)
      THEN 'debit_of_another_grant'
    WHEN _debit.state = 'rolled_back' THEN 'debit_rolled_back'
    WHEN (_debit.state = 'closed' OR _debit.round_closed) AND NOT _is_winnings THEN 'round_closed'
    WHEN _is_winnings
      AND EXISTS (SELECT FROM transactions t WHERE t.grant_id = _grant_id AND t.grant_closed)
      THEN 'grant_paid'
    WHEN _account.balance_micros > 9007199254740991 - _amount THEN 'balance_full'
  END;
  IF refusal IS NOT NULL THEN RETURN; END IF;

  balance := _account.balance_micros + _amount;
  IF _amount > 0 THEN UPDATE accounts SET balance_micros = balance WHERE id = _account.id; END IF;
  INSERT INTO transactions (transaction_id, kind, from_account_id, to_account_id, amount_micros, player_account_id,
    balance_after_micros, debit_id, round_id, game_id, round_closed, grant_id, grant_closed)
  VALUES (_transaction_id, 'credit', _account.house_id, _account.id, _amount, _account.id,
    balance, _debit_transaction_id, _round_id, _game_id, _round_closed, _grant_id, _is_winnings);
  IF NOT _is_winnings THEN
    UPDATE bets
    SET state = CASE WHEN _round_closed THEN 'closed' ELSE 'credited' END::bet_state
    WHERE debit_id = _debit_transaction_id;
  END IF;
  moved_account_id := _account.id;
END
$$;
