-- Shows the totals of the rounds that fold_game_totals has not moved yet.
CREATE VIEW unfolded_game_totals AS
SELECT game_version_id, mode, currency, operator_id, day,
  rounds, bets, payouts, free_rounds, free_bets, free_payouts, bet_squares, max_bet, void_rounds, void_bets
FROM round_totals
WHERE source = 'unfolded';
