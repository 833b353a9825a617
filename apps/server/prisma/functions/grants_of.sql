-- Returns the open grants of an account and game as JSON, oldest first, and the named one whatever
-- its state. NULL without any. A grant is open from its start until its end or its expiry, and
-- while a round of it is open.
CREATE FUNCTION grants_of(_account_id bigint, _game_id integer, _now timestamptz, _named text) RETURNS jsonb
LANGUAGE sql STABLE
AS $$
  SELECT jsonb_agg(jsonb_build_object(
    'grantID', g.external_id, 'state', g.state, 'mode', g.mode, 'amount', g.amount_micros,
    'given', g.given, 'used', g.used, 'left', g."left", 'won', g.won_micros,
    'automatic', g.automatic, 'paidAtEnd', g.paid_at_end,
    'startsAt', g.starts_at, 'expiresAt', g.expires_at
  ) ORDER BY g.id)
  FROM grants g
  WHERE g.account_id = _account_id
    AND (
      (g.ended_at IS NULL AND _game_id = ANY (g.game_ids)
        AND g.starts_at <= _now AND (g.expires_at > _now OR g.open_rounds > 0))
      OR g.external_id = _named
    )
$$;
