-- Returns what a player's rounds add to the totals of games.
CREATE FUNCTION player_totals(_player_id bigint) RETURNS SETOF game_totals
LANGUAGE sql STABLE
AS $$
  SELECT r.game_version_id, r.mode, a.currency, a.operator_id, (r.ended_at AT TIME ZONE 'UTC')::date,
    count(*) FILTER (WHERE NOT v.is_void),
    coalesce(sum(r.debit_micros) FILTER (WHERE NOT v.is_void), 0),
    coalesce(sum(r.payout_micros) FILTER (WHERE NOT v.is_void), 0),
    count(*) FILTER (WHERE NOT v.is_void AND r.grant_id IS NOT NULL),
    coalesce(sum(r.debit_micros) FILTER (WHERE NOT v.is_void AND r.grant_id IS NOT NULL), 0),
    coalesce(sum(r.payout_micros) FILTER (WHERE NOT v.is_void AND r.grant_id IS NOT NULL), 0),
    coalesce(sum(r.debit_micros::numeric * r.debit_micros) FILTER (WHERE NOT v.is_void), 0),
    coalesce(max(r.debit_micros) FILTER (WHERE NOT v.is_void), 0),
    count(*) FILTER (WHERE v.is_void),
    coalesce(sum(r.debit_micros) FILTER (WHERE v.is_void), 0)
  FROM accounts a
  JOIN counted_rounds r ON r.account_id = a.id
  CROSS JOIN LATERAL (SELECT r.wallet_state IS NOT DISTINCT FROM 'void' AS is_void) v
  WHERE a.player_id = _player_id AND r.ended_at IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5
$$;
