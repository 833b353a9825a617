-- Sums every total of a game, from two sources: 'unfolded', the completed rounds that
-- fold_game_totals has not moved yet, and 'rounds', all completed rounds. A reader names one: then
-- the plan holds nothing of the other, and source is not a key of the grouping. (A boolean would be
-- a key: PostgreSQL drops one only when it equals a constant.)
CREATE VIEW round_totals AS
SELECT source, game_version_id, mode, currency, operator_id, day,
  count(*) FILTER (WHERE NOT is_void) AS rounds,
  coalesce(sum(bet_micros) FILTER (WHERE NOT is_void), 0) AS bets,
  coalesce(sum(payout_micros) FILTER (WHERE NOT is_void), 0) AS payouts,
  count(*) FILTER (WHERE is_free AND NOT is_void) AS free_rounds,
  coalesce(sum(bet_micros) FILTER (WHERE is_free AND NOT is_void), 0) AS free_bets,
  coalesce(sum(payout_micros) FILTER (WHERE is_free AND NOT is_void), 0) AS free_payouts,
  coalesce(sum(bet_micros::numeric * bet_micros) FILTER (WHERE NOT is_void), 0) AS bet_squares,
  coalesce(max(bet_micros) FILTER (WHERE NOT is_void), 0) AS max_bet,
  count(*) FILTER (WHERE is_void) AS void_rounds,
  coalesce(sum(bet_micros) FILTER (WHERE is_void), 0) AS void_bets
FROM (
  SELECT 'unfolded' AS source, game_version_id, mode, currency, operator_id, day,
    is_void, is_free, bet_micros, payout_micros
  FROM completed_rounds
  UNION ALL
  SELECT 'rounds', r.game_version_id, r.mode, a.currency, a.operator_id, (r.ended_at AT TIME ZONE 'UTC')::date,
    r.wallet_state IS NOT DISTINCT FROM 'void', r.grant_id IS NOT NULL, r.debit_micros, r.payout_micros
  FROM counted_rounds r
  JOIN accounts a ON a.id = r.account_id
  WHERE r.ended_at IS NOT NULL
) r
GROUP BY source, game_version_id, mode, currency, operator_id, day;
