-- What the totals of games must be, from the rounds themselves. It reads every round.
CREATE VIEW completed_round_totals AS
SELECT game_version_id, mode, currency, operator_id, day,
  count(*) FILTER (WHERE NOT is_void) AS rounds,
  coalesce(sum(bet_micros) FILTER (WHERE NOT is_void), 0) AS bets,
  coalesce(sum(payout_micros) FILTER (WHERE NOT is_void), 0) AS payouts,
  coalesce(sum(bet_micros::numeric * bet_micros) FILTER (WHERE NOT is_void), 0) AS bet_squares,
  coalesce(max(bet_micros) FILTER (WHERE NOT is_void), 0) AS max_bet,
  count(*) FILTER (WHERE is_void) AS void_rounds,
  coalesce(sum(bet_micros) FILTER (WHERE is_void), 0) AS void_bets
FROM (
  SELECT r.game_version_id, r.mode, a.currency, a.operator_id, (r.closed_at AT TIME ZONE 'UTC')::date AS day,
    r.wallet_state IS NOT DISTINCT FROM 'void' AS is_void, r.debit_micros AS bet_micros, r.payout_micros
  FROM all_rounds r JOIN accounts a ON a.id = r.account_id
  WHERE r.closed_at IS NOT NULL
) r GROUP BY game_version_id, mode, currency, operator_id, day;
