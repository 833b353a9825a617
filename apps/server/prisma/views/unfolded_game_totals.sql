-- Totals of the rounds that fold_game_totals has not moved yet.
CREATE VIEW unfolded_game_totals AS
SELECT game_version_id, mode, currency, operator_id, day,
  count(*) FILTER (WHERE NOT is_void) AS rounds,
  coalesce(sum(bet_micros) FILTER (WHERE NOT is_void), 0) AS bets,
  coalesce(sum(payout_micros) FILTER (WHERE NOT is_void), 0) AS payouts,
  coalesce(sum(bet_micros::numeric * bet_micros) FILTER (WHERE NOT is_void), 0) AS bet_squares,
  coalesce(max(bet_micros) FILTER (WHERE NOT is_void), 0) AS max_bet,
  count(*) FILTER (WHERE is_void) AS void_rounds,
  coalesce(sum(bet_micros) FILTER (WHERE is_void), 0) AS void_bets
FROM completed_rounds GROUP BY game_version_id, mode, currency, operator_id, day;
