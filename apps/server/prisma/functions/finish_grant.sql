-- Ends a grant with no round left and none open. When its wins are paid at its end, it pays them:
-- the house moves them, or the winnings are stored with the last round of the grant. The
-- node that completed that round sends them, else recovery when they are due. A grant whose wins
-- the balance cannot hold waits for the next sweep. The caller holds the lock of the account.
CREATE FUNCTION finish_grant(_grant_id bigint, _now timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _ended record;
BEGIN
  UPDATE grants g
  SET ended_at = _now, change_seq = NULL,
    state = CASE WHEN g.state IN ('offered', 'accepted') THEN 'finished' ELSE g.state END
  FROM accounts a
  JOIN operators o ON o.id = a.operator_id
  WHERE g.id = _grant_id AND g.ended_at IS NULL AND g."left" = 0 AND g.open_rounds = 0 AND a.id = g.account_id
    AND (g.paid_at_end AND a.balance_micros > 9007199254740991 - g.won_micros) IS NOT TRUE
  RETURNING g.account_id, g.last_round_id, a.house_account_id, a.balance_micros IS NULL AS is_seamless,
    o.wallet_timeout_ms, CASE WHEN g.paid_at_end THEN g.won_micros ELSE 0 END AS winnings
  INTO _ended;
  IF NOT FOUND THEN RETURN; END IF;
  IF _ended.winnings > 0 AND _ended.is_seamless THEN
    INSERT INTO wallet_transactions (kind, round_id, amount_micros, due_at, retry_until, created_at)
    VALUES ('winnings', _ended.last_round_id, _ended.winnings,
      _now + attempt_lease(_ended.wallet_timeout_ms), _now + retry_period(), _now);
  ELSIF _ended.winnings > 0 THEN
    INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
    VALUES ('winnings', _ended.house_account_id, _ended.account_id, _ended.winnings, _ended.last_round_id, _now);
  END IF;
  UPDATE accounts a
  SET balance_micros = a.balance_micros + _ended.winnings,
    has_automatic_grant = EXISTS (
      SELECT FROM grants g
      WHERE g.account_id = a.id AND g.ended_at IS NULL AND g.automatic
    )
  WHERE a.id = _ended.account_id;
END
$$;
