-- Credits a round, or completes it with an amount of 0. It needs no session. A repetition returns
-- the balance of now and moves nothing; then moved_account_id is NULL.
CREATE FUNCTION pay_round(
  _transaction_id uuid, _debit_transaction_id uuid, _player_id text, _currency text, _round_id text, _game_id text, _amount bigint,
  _round_closed boolean,
  OUT refusal text, OUT balance bigint, OUT moved_account_id bigint
)
LANGUAGE plpgsql
AS $$
DECLARE
  _account record;
  _known transactions;
  _debit record;
BEGIN
  -- What is read after this lock stays true until the end of the database transaction.
  SELECT a.id, a.balance_micros, h.id AS house_id INTO _account
  FROM players p
  JOIN accounts a ON a.player_id = p.id AND a.currency = _currency
  JOIN accounts h ON h.kind = 'house' AND h.currency = _currency
  WHERE p.external_id = _player_id
  FOR NO KEY UPDATE OF a;

  SELECT * INTO _known FROM transactions t WHERE t.transaction_id = _transaction_id;
  IF FOUND THEN
    balance := _account.balance_micros;
    IF (_known.kind, _known.player_account_id, _known.amount_micros, _known.debit_id, _known.round_id, _known.game_id,
        _known.round_closed)
      IS DISTINCT FROM ('credit'::transaction_kind, _account.id, _amount, _debit_transaction_id, _round_id, _game_id, _round_closed)
    THEN refusal := 'other_content'; END IF;
    RETURN;
  END IF;

  SELECT t.player_account_id, t.round_id, t.game_id, b.state INTO _debit
  FROM bets b JOIN transactions t ON t.transaction_id = b.debit_id
  WHERE b.debit_id = _debit_transaction_id;
  refusal := CASE
    WHEN NOT FOUND THEN 'debit_unknown'
    WHEN (_debit.player_account_id, _debit.round_id, _debit.game_id) IS DISTINCT FROM (_account.id, _round_id, _game_id)
      THEN 'debit_of_another'
    WHEN _debit.state = 'rolled_back' THEN 'debit_rolled_back'
    WHEN _debit.state = 'closed' THEN 'round_closed'
    WHEN _account.balance_micros > 9007199254740991 - _amount THEN 'balance_full'
  END;
  IF refusal IS NOT NULL THEN RETURN; END IF;

  balance := _account.balance_micros + _amount;
  IF _amount > 0 THEN UPDATE accounts SET balance_micros = balance WHERE id = _account.id; END IF;
  INSERT INTO transactions (transaction_id, kind, from_account_id, to_account_id, amount_micros, player_account_id,
    balance_after_micros, debit_id, round_id, game_id, round_closed)
  VALUES (_transaction_id, 'credit', _account.house_id, _account.id, _amount, _account.id,
    balance, _debit_transaction_id, _round_id, _game_id, _round_closed);
  UPDATE bets SET state = CASE WHEN _round_closed THEN 'closed' ELSE 'credited' END::bet_state WHERE debit_id = _debit_transaction_id;
  moved_account_id := _account.id;
END
$$;
