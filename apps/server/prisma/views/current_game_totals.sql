-- Shows the totals of games as of now.
CREATE VIEW current_game_totals AS
SELECT game_version_id, mode, currency, operator_id, day,
  sum(rounds)::bigint AS rounds,
  sum(bets) AS bets,
  sum(payouts) AS payouts,
  sum(free_rounds)::bigint AS free_rounds,
  sum(free_bets) AS free_bets,
  sum(free_payouts) AS free_payouts,
  sum(bet_squares) AS bet_squares,
  max(max_bet) AS max_bet,
  sum(void_rounds)::bigint AS void_rounds,
  sum(void_bets) AS void_bets
FROM (SELECT * FROM game_totals UNION ALL SELECT * FROM unfolded_game_totals) t
GROUP BY game_version_id, mode, currency, operator_id, day;
