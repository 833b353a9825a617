-- Shows what the totals of games must be, from the rounds themselves. It reads every round.
CREATE VIEW completed_round_totals AS
SELECT game_version_id, mode, currency, operator_id, day,
  rounds, bets, payouts, free_rounds, free_bets, free_payouts, bet_squares, max_bet, void_rounds, void_bets
FROM round_totals
WHERE source = 'rounds';
