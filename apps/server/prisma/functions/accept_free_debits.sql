-- Settles debits of free rounds that the operator has accepted, as accept_debits does. A lost round
-- is completed at once: its grant changes, so the function locks the players.
CREATE FUNCTION accept_free_debits(
  _player_id bigint[], _transaction_id uuid[], _http_status integer[], _auto_close boolean[],
  _wallet_timeout_ms integer[], _reported_balance bigint[], _closed boolean[], _reference text[],
  _again boolean DEFAULT false
) RETURNS TABLE (ordinal bigint, closing_id uuid)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  PERFORM lock_players(_player_id);
  RETURN QUERY
  SELECT *
  FROM accept_debits(
    _transaction_id, _http_status, _auto_close, _wallet_timeout_ms, _reported_balance, _closed, _reference,
    _again);
END
$$;

SELECT pin_plans('accept_free_debits');
