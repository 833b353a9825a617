-- Finds all that the request of a wallet transaction needs, and the token of the launch of the
-- round's session. A node sends it between two responses of a player: the plan is made once, which
-- takes longer than the look-up.
CREATE FUNCTION find_sendable(_transaction_id uuid)
RETURNS TABLE (
  kind text, settled_at timestamptz, debit_transaction_id uuid, round_id bigint, player_id bigint, external_id text,
  game text, operator_id integer, currency text, amount_micros bigint, reason text,
  grant_id text, created_at timestamptz, retried_since timestamptz,
  wallet_token text,
  debit_created_at timestamptz
)
LANGUAGE plpgsql STABLE
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT w.kind::text, w.settled_at, w.debit_transaction_id, w.round_id, w.player_id, w.external_id,
    w.game, w.operator_id, w.currency, w.amount_micros, w.reason,
    (SELECT g.external_id FROM grants g WHERE g.id = w.grant_id), w.created_at, w.retry_until - retry_period(),
    (SELECT s.wallet_token FROM rounds r JOIN sessions s ON s.id = r.session_id WHERE r.id = w.round_id),
    (SELECT d.created_at FROM wallet_transactions d WHERE d.transaction_id = w.debit_transaction_id)
  FROM wallet_transaction_details w
  WHERE w.transaction_id = _transaction_id;
END
$$;

SELECT pin_plans('find_sendable');
